#!/bin/sh
# Fuzzes with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer:
#
#   test/fuzz/run.sh datatype [OPTION OF LIBFUZZER]...
#
# New inputs gather in a folder of their own, whose name is printed. What is worth
# keeping goes into the corpus by -merge=1 (LibFuzzer's documentation has more).
set -eu

root=$(dirname "$(readlink -f -- "$0")")/../..
target=$1
shift
found=$(mktemp -d)
echo "new inputs: $found" >&2
sources=$(find "$root/datatype" -name '*.cc' ! -name '*_test.cc' ! -path '*/tool/*')
# shellcheck disable=SC2086  # paths of the repository have no blanks
clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  -I"$root" "$root/test/fuzz/$target.cc" $sources -o "$found/fuzz"
mkdir "$found/inputs"
cd "$found"
exec ./fuzz "$@" inputs "$root/test/fuzz/corpus/$target"
