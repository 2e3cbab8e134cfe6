#!/bin/sh
# NetPIPE's MPI driver, a real program not written here, runs through to its
# largest message between two ranks, in each of its ways to receive and send.
#
#   test/apps/netpipe.sh PREFIX      PREFIX: an installed Atoll
#
# Fetches Debian's source package `netpipe` (the tarball of its authors is
# enough). Takes some minutes, and is not a part of ./check.
set -eu
. "$(dirname "$0")/app.sh"
begin "$@"

# pass NAME OPTIONS...: one pass of NetPIPE.
pass() {
  echo "NetPIPE, $1"
  name=$1
  shift
  run 2 ./NPmpi -o np.out "$@"
  largest=$(tail -n 1 np.out | awk '{ print $1 }')
  [ "$largest" -ge 8388608 ] || fail "$name: stopped after $largest bytes: $(tail -n 1 run.log)"
  awk '$1 == 1 || $1 == 8388608 { printf "%9d bytes: %10.2f us one way\n", $1, $3 * 1e6 }' np.out
}

fetch netpipe
cd NetPIPE-*
make mpi MPICC="$prefix/bin/mpicc" >make.log 2>&1 || fail "make: $(grep -m 1 error make.log)"

pass "blocking"
pass "receives posted ahead" -a
pass "synchronous sends" -S
pass "wildcard receives" -z
pass "both ways at once" -2 -a
pass "contents checked" -i
echo "NetPIPE ran through to its largest message"
