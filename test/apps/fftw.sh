#!/bin/sh
# The tests of FFTW's MPI transforms, real programs not written here, pass on 1 to
# 4 ranks: transposes of every shape, checked by FFTW's own arithmetic.
#
#   test/apps/fftw.sh PREFIX [TESTS]      PREFIX: an installed Atoll
#                                         TESTS: random transforms a rank count (20)
#
# Fetches Debian's source package `fftw3`, and needs Perl. Takes some minutes, and is
# not a part of ./check.
set -eu
. "$(dirname "$0")/app.sh"
tests=${2:-20}
begin ${1+"$1"}
fetch fftw3
cd fftw-*

./configure MPICC="$prefix/bin/mpicc" MPIRUN="$prefix/bin/mpiexec" CFLAGS=-O1 \
  --enable-mpi --disable-fortran --disable-doc >configure.log 2>&1 ||
  fail "configure: $(tail -n 1 configure.log)"
make -j2 >make.log 2>&1 || fail "make: $(grep -m 1 error make.log)"
make -C mpi NUMCHECK="$tests" check-local >check.log 2>&1 ||
  fail "a test failed: $(grep -m 1 -i 'fail\|error\|mpiexec' check.log)"
grep 'transforms passed' check.log
[ "$(grep -c 'transforms passed' check.log)" -eq 4 ] || fail "not all tests ran"
echo "FFTW's MPI tests passed"
