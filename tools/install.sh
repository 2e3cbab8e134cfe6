#!/bin/sh
# Copies Atoll to PREFIX. Run it as: bazel run //:install -- PREFIX
set -eu

if [ $# -ne 1 ] || [ -z "$1" ]; then
  echo "install: name one folder: bazel run //:install -- PREFIX" >&2
  exit 1
fi

built=$(cd "${TEST_SRCDIR:-$0.runfiles}/atoll" && pwd)
# Bazel starts this script elsewhere; a relative PREFIX means the user's folder.
cd "${BUILD_WORKING_DIRECTORY:-.}"
mkdir -p "$1"
cd "$1"

# put MODE FILE FOLDER: installs a file, replacing an old one that may be in use.
put() {
  mkdir -p "$3"
  install -m "$1" "$built/$2" "$3/"
}

# also NAME TARGET FOLDER: one more name, relative so that the tree can be moved.
also() {
  ln -sfn "$2" "$3/$1"
}

put 755 launcher/mpiexec bin
also mpirun mpiexec bin
put 755 launcher/atoll bin
put 755 datatype/atoll-type bin
put 755 tools/wrappers/mpicc bin
put 755 tools/wrappers/mpicxx bin
also mpic++ mpicxx bin
# Where case does not count, mpiCC would take the place of mpicc.
[ -e bin/MPICC ] || also mpiCC mpicxx bin
for name in mpifort mpif90 mpif77 atoll-fortran-modules; do
  put 755 tools/wrappers/$name bin
done

put 644 runtime/api/mpi.h include
put 644 runtime/fortran/mpif.h include
put 644 runtime/api/mpicxx.h include
put 755 runtime/libmpi_abi.so.1 lib
also libmpi_abi.so libmpi_abi.so.1 lib
also libmpi.so libmpi_abi.so.1 lib
put 644 runtime/libmpi_abi.a lib
also libmpi.a libmpi_abi.a lib
put 755 runtime/fortran/libatoll_fortran.so.1 lib
also libatoll_fortran.so libatoll_fortran.so.1 lib

# Module files are a compiler's own: the sources are for any other than gfortran.
for module in mpi mpi_f08; do
  put 644 runtime/fortran/$module.f90 share/atoll/fortran
done
if command -v gfortran >/dev/null; then
  bin/atoll-fortran-modules gfortran >/dev/null
else
  echo "There is no gfortran: run $PWD/bin/atoll-fortran-modules before 'use mpi' in a program." >&2
fi

# The names under which CMake and Meson ask pkg-config for any MPI.
put 644 tools/wrappers/atoll.pc lib/pkgconfig
for name in mpi mpi-c mpi-cxx ompi-c ompi-cxx; do
  also $name.pc atoll.pc lib/pkgconfig
done
modules=$(bin/atoll-fortran-modules --folder gfortran)
mismatch=$(bin/mpifort -fc=gfortran -showme:compile | grep -o -e ' -fallow-argument-mismatch') || :
sed "s|@MODULES@|-I\${includedir}/fortran/${modules##*/}$mismatch|" \
  "$built/tools/wrappers/atoll-fortran.pc" >lib/pkgconfig/atoll-fortran.pc
for name in mpi-fort ompi-fort; do
  also $name.pc atoll-fortran.pc lib/pkgconfig
done

# The latency lab, atoll bench: programs for any MPI, and what runs them.
put 755 bench/limits libexec/atoll
for file in "$built"/bench/lab/*; do
  put 644 "bench/lab/${file##*/}" share/atoll/bench/lab
done
install -m 644 "$built/../chart_js/chart.min.js" share/atoll/bench/

put 644 docs/man/mpiexec.1 share/man/man1
also mpirun.1 mpiexec.1 share/man/man1
put 644 docs/man/atoll.1 share/man/man1
put 644 docs/man/atoll-type.1 share/man/man1
put 644 docs/man/mpicc.1 share/man/man1
for name in mpicxx mpic++ mpifort mpif90 mpif77 atoll-fortran-modules; do
  also $name.1 mpicc.1 share/man/man1
done

for file in LICENSE README.md docs/user-guide.md; do
  put 644 $file share/doc/atoll
done
for file in "$built"/examples/*.c "$built"/examples/*.f90; do
  put 644 "examples/${file##*/}" share/doc/atoll/examples
done

echo "Atoll is in $PWD; put $PWD/bin first in PATH."
