#!/bin/sh
# MUMPS, a sparse direct solver not written here, in Fortran with mpif.h, solves the systems of its
# examples in four arithmetics on 2 and 4 ranks.
#
#   test/apps/mumps.sh PREFIX      PREFIX: an installed Atoll
#
# Fetches Debian's source package `mumps`, and needs a BLAS and LAPACK, such as those of
# libopenblas-dev and liblapack-dev. Takes some minutes, and is not a part of ./check.
set -eu
. "$(dirname "$0")/app.sh"
begin "$@"
fetch mumps
cd MUMPS_*
export OPENBLAS_NUM_THREADS=1

# ScaLAPACK serves the root of large systems only. What is called of it comes from the
# authors' library for one rank, without the MPI that is in the same file.
sed -n "/SUBROUTINE blacs_gridinit/,\$p" libseq/mpi.f >scalapack.f

cat >Makefile.inc <<END
LPORDDIR = \$(topdir)/PORD/lib/
IPORD = -I\$(topdir)/PORD/include/
ORDERINGSF = -Dpord
ORDERINGSC = -Dpord
LORDERINGS = -L\$(LPORDDIR) -lpord
IORDERINGSF =
IORDERINGSC = \$(IPORD)
LIBEXT_SHARED = .so
LIBEXT = .a
OUTC = -o # a space ends this line
OUTF = -o # and this one
RM = rm -f
CC = $prefix/bin/mpicc
FC = $prefix/bin/mpifort
FL = $prefix/bin/mpifort
AR = ar cr # too
RANLIB = ranlib
LIBPAR = \$(topdir)/scalapack.o -llapack
INCPAR =
LIBBLAS = -lblas
LIBOTHERS = -lpthread
CDEFS = -DAdd_
OPTF = -O1 -fallow-argument-mismatch
OPTC = -O1
OPTL =
INCS = \$(INCPAR)
LIBS = \$(LIBPAR)
LIBSEQNEEDED =
END
"$prefix/bin/mpifort" -c scalapack.f >make.log 2>&1 || fail "scalapack.f: $(grep -m 1 Error make.log)"
make -j"$(nproc)" all >make.log 2>&1 || fail "make: $(grep -m 1 -iE 'error' make.log)"

cd examples
# solves RANKS PROGRAM INPUT: does it find the solution 1, 2, 3, 4, 5?
solves() {
  "$prefix/bin/mpiexec" -n "$1" "./$2" <"$3" >run.log 2>&1 ||
    fail "$2 on $1 ranks: mpiexec ended with status $?: $(tail -n 1 run.log)"
  sed -n '/Solution is/,$p' run.log | tr -s '(), \n' '\n' |
    awk -v complex="${3##*_}" '/^[-0-9.]/ { value[n++] = $1 }
      END { step = complex == "cmplx" ? 2 : 1
            for (i = 0; i < 5; ++i) {
              if (value[i * step] < i + 0.999 || value[i * step] > i + 1.001) exit 1
            } }' || fail "$2 on $1 ranks: the solution is wrong: $(grep -A 2 Solution run.log)"
  echo "$2, $1 ranks: solved"
}

for ranks in 2 4; do
  for program in s d c z; do
    input=input_simpletest_real
    case $program in c | z) input=input_simpletest_cmplx ;; esac
    solves $ranks ${program}simpletest $input
  done
  run $ranks ./multiple_arithmetics_example
  run $ranks ./c_example
  grep -q 'Solution is : ( *1.00 *2.00)' run.log || fail "c_example on $ranks ranks: it is wrong"
done
echo "MUMPS solved its examples"
