#include "launcher/process/mpi_library.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string_view>

namespace atl::launcher {
namespace {

// The name that is found in a file with these contents.
std::string found_in(std::string_view contents) {
  char name[] = "/tmp/mpi_library_test.XXXXXX";
  const int file = ::mkstemp(name);
  REQUIRE(::write(file, contents.data(), contents.size()) == static_cast<ssize_t>(contents.size()));
  ::close(file);
  std::string found = mpi_library_of(name);
  ::unlink(name);
  return found;
}

TEST_CASE("programs name the libraries that they need") {
  using namespace std::string_view_literals;
  CHECK(found_in("\177ELF..\0libm.so.6\0libmpi.so.40\0libc.so.6\0"sv) == "libmpi.so.40");
  CHECK(found_in("\177ELF..\0libmpi_cxx.so.40\0libmpich.so.12\0"sv) == "libmpich.so.12");
  CHECK(found_in("\177ELF..\0libmpi_abi.so.1\0"sv) == kOwnLibrary);
  CHECK(found_in("\177ELF..\0libmpi\0 uses libmpi.so.40\0"sv) == "");
  CHECK(found_in("#!/bin/sh\n\0libmpi.so.40\0"sv) == "");
  CHECK(found_in("") == "");
  CHECK(mpi_library_of("/no/such/file") == "");
}

TEST_CASE("a process without MPI has loaded none") { CHECK(mpi_library_in(::getpid()) == ""); }

TEST_CASE("a tool of the system uses no MPI") { CHECK(mpi_library_of("/bin/sh") == ""); }

}  // namespace
}  // namespace atl::launcher
