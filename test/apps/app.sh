# What the scripts of programs not written here have in common; they source it:
#
#   . "$(dirname "$0")/app.sh"
#   begin "$@"        with the folder of an installed Atoll as the only argument
#
# Then $prefix is that folder, and the current directory is empty and of our own.

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

begin() {
  [ $# -eq 1 ] || fail "name the folder of an installed Atoll"
  prefix=$(cd "$1" && pwd) || fail "there is no folder $1"
  [ -x "$prefix/bin/mpicc" ] || fail "$prefix/bin/mpicc is missing: bazel run //:install -- PREFIX"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
}

# fetch PACKAGE [FILES...]: unpacks the tarball of the authors of a Debian source package
# here, or only these patterns of its files. It comes from the machine's Debian mirror,
# asked for sources, without touching its own lists.
fetch() {
  package=$1
  shift
  files=$*
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sort -u >sources.list
  [ -s sources.list ] || fail "apt knows no Debian mirror yet: run apt-get update"
  mkdir -p lists/partial cache/archives/partial
  set -- -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
  apt-get -qq "$@" update >fetch.log 2>&1 || true
  apt-get -qq "$@" source --download-only "$package" >>fetch.log 2>&1 || true
  tar xf "$package"_*.orig.tar.[gx]z ${files:+--wildcards $files} 2>/dev/null ||
    fail "the source of $package did not arrive: $(tail -n 1 fetch.log)"
}

# run RANKS WORDS...: a job; what it writes goes to run.log.
run() {
  ranks=$1
  shift
  "$prefix/bin/mpiexec" -n "$ranks" "$@" >run.log 2>&1 </dev/null ||
    fail "$* on $ranks ranks: mpiexec ended with status $?: $(tail -n 1 run.log)"
}
