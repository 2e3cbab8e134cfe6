#!/bin/sh
# NetPIPE's MPI driver, a real program not written here, runs through to its
# largest message between two ranks, in each of its ways to receive and send.
#
#   test/apps/netpipe.sh PREFIX      PREFIX: an installed Atoll
#
# Fetches Debian's source package `netpipe` (the tarball of its authors is
# enough). Takes some minutes, and is not a part of ./check.
set -eu

fail() {
  echo "netpipe.sh: $1" >&2
  exit 1
}

[ $# -eq 1 ] || fail "name the folder of an installed Atoll"
prefix=$(cd "$1" && pwd) || fail "there is no folder $1"
[ -x "$prefix/bin/mpicc" ] || fail "$prefix/bin/mpicc is missing: bazel run //:install -- PREFIX"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The machine's Debian mirror, asked for sources, without touching its own lists.
fetch() {
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u >sources.list
  [ -s sources.list ] || fail "apt knows no Debian mirror yet: run apt-get update"
  mkdir -p lists/partial cache/archives/partial
  set -- -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
  apt-get -qq "$@" update >fetch.log 2>&1 || true
  apt-get -qq "$@" source --download-only netpipe >>fetch.log 2>&1 || true
  tar xzf netpipe_*.orig.tar.gz 2>/dev/null ||
    fail "the source of netpipe did not arrive: $(tail -n 1 fetch.log)"
}

# run NAME OPTIONS...: one pass of NetPIPE.
run() {
  echo "NetPIPE, $1"
  name=$1
  shift
  "$prefix/bin/mpiexec" -n 2 ./NPmpi -o np.out "$@" >run.log 2>&1 </dev/null ||
    fail "$name: mpiexec ended with status $?: $(tail -n 1 run.log)"
  largest=$(tail -n 1 np.out | awk '{ print $1 }')
  [ "$largest" -ge 8388608 ] || fail "$name: stopped after $largest bytes: $(tail -n 1 run.log)"
  awk '$1 == 1 || $1 == 8388608 { printf "%9d bytes: %10.2f us one way\n", $1, $3 * 1e6 }' np.out
}

fetch
cd NetPIPE-*
make mpi MPICC="$prefix/bin/mpicc" >make.log 2>&1 || fail "make: $(grep -m 1 error make.log)"

run "blocking"
run "receives posted ahead" -a
run "synchronous sends" -S
run "wildcard receives" -z
run "both ways at once" -2 -a
run "contents checked" -i
echo "NetPIPE ran through to its largest message"
