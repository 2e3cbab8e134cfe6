#!/bin/sh
# Boost.MPI, a large C++ library not written here, builds with mpicxx and passes its own
# tests, on up to 48 ranks.
#
#   test/apps/boost_mpi.sh PREFIX      PREFIX: an installed Atoll
#
# Fetches Debian's source package `boost1.74`; the headers of the rest of Boost are those of
# the machine (libboost-dev). Takes some minutes, and is not a part of ./check.
set -eu
. "$(dirname "$0")/app.sh"
begin "$@"
fetch boost1.74 '*/libs/mpi' '*/libs/serialization'
cd boost*/

# The tests as Boost's own build lists them: "NAME SOURCE RANKS...".
sed -n 's/^ *\[ mpi-test *\([^]]*[^] ]\) *\]$/\1/p' libs/mpi/test/Jamfile.v2 | awk -F' *: *' '{
  name = $1; source = $2; ranks = $4
  sub(/ .*/, "", name)
  if (source == "") source = name ".cpp"
  if (ranks == "") ranks = "2 3 4 7 8 13 17"  # what it takes where none are named
  print name, source, ranks
}' >tests
[ "$(wc -l <tests)" -ge 30 ] || fail "the list of tests cannot be read"

{
  echo "CXX = $prefix/bin/mpicxx"
  echo 'CXXFLAGS = -O1 -w -fPIC -Ilibs/mpi/include -Ilibs/serialization/include'
  echo 'OBJECTS = $(patsubst %.cpp,%.o,$(wildcard libs/mpi/src/*.cpp libs/serialization/src/*.cpp))'
  echo "all: $(cut -d' ' -f1 tests | tr '\n' ' ')"
  echo 'libboost.a: $(OBJECTS)'
  printf '\tar rcs $@ $^\n'
  while read -r name source counts; do
    echo "$name: libs/mpi/test/$source libboost.a"
    printf '\t$(CXX) $(CXXFLAGS) -o $@ $< libboost.a\n'
  done <tests
} >Makefile
make -j2 >make.log 2>&1 || fail "make: $(grep -m 1 'error' make.log)"

while read -r name source counts; do
  for count in $counts; do run "$count" "./$name"; done
  echo "$name: $counts ranks"
done <tests
echo "Boost.MPI's tests passed"
