#!/bin/sh
# The HPC Challenge, real programs not written here, verifies its own results on
# 2, 4 and 8 ranks: HPL, PTRANS, RandomAccess, FFT, DGEMM, STREAM, latency and bandwidth.
#
#   test/apps/hpcc.sh PREFIX      PREFIX: an installed Atoll
#
# Fetches Debian's source package `hpcc`, and needs a BLAS, such as that of
# libopenblas-dev. Takes some minutes, and is not a part of ./check.
set -eu
. "$(dirname "$0")/app.sh"
begin "$@"
fetch hpcc
cd hpcc-*
export OPENBLAS_NUM_THREADS=1

# Its makefiles read what differs between systems from hpl/Make.$(arch).
sed -e "s|@CC@|$prefix/bin/mpicc|; s|@LINKER@|$prefix/bin/mpicc|; s|@LALIB@|-lblas|" \
  -e 's|@CCFLAGS@|-O2|; s|@F2CDEFS@|-DAdd_ -DF77_INTEGER=int -DStringSunStyle|' \
  -e 's|@SHELL@|/bin/sh|; s|@CD@|cd|; s|@CP@|cp|; s|@LN_S@|ln -s|; s|@MKDIR@|mkdir -p|' \
  -e 's|@RM@|rm -f|; s|@TOUCH@|touch|; s|@ARCHIVER@|ar|; s|@ARFLAGS@|r|; s|@RANLIB@|ranlib|' \
  -e 's|@[A-Z]*@||' hpl/setup/Make.UNKNOWN.in >hpl/Make.atoll
make arch=atoll >make.log 2>&1 || fail "make: $(grep -m 1 -i error make.log)"

# input ROWS COLUMNS: a small problem on a grid of processes.
input() {
  sed -e "s/^2  *Ps/$1 Ps/; s/^2  *Qs/$2 Qs/" -e 's/^1000  *Ns/800 Ns/' _hpccinf.txt >hpccinf.txt
}

# verified RANKS: what the output says of the results.
verified() {
  grep -q '^Success=1$' hpccoutf.txt || fail "$1 ranks: it did not run through"
  ! grep -E '\(failed\)|Node.s. with error [1-9]| [1-9][0-9]* tests .* failed' hpccoutf.txt ||
    fail "$1 ranks: it found errors"
  [ "$(grep -cE ' [1-9][0-9]* tests completed and passed' hpccoutf.txt)" -eq 2 ] ||
    fail "$1 ranks: HPL or PTRANS is missing"
  [ "$(grep -c '(passed)' hpccoutf.txt)" -eq 4 ] || fail "$1 ranks: RandomAccess is missing"
  awk -F= '$1 == "MPIFFT_maxErr" { exit !($2 >= 0 && $2 < 1e-10) }' hpccoutf.txt ||
    fail "$1 ranks: the FFT is wrong"
  awk -F= -v ranks="$1" '/^(HPL_Tflops|PTRANS_GBs|MPIRandomAccess_GUPs|MPIFFT_Gflops)=/ \
    { line = line "  " $0 } END { print ranks " ranks:" line }' hpccoutf.txt
}

for grid in "1 2" "2 2" "2 4"; do
  input $grid
  ranks=$((${grid% *} * ${grid#* }))
  rm -f hpccoutf.txt
  run "$ranks" ./hpcc
  verified "$ranks"
done
echo "HPCC verified its results"
