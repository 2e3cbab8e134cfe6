#include "runtime/objects/hints.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

namespace atl {
namespace {

std::string value_of(const Hints& hints, const char* key) {
  const std::string* value = hints.in_use().find(key);
  return value == nullptr ? "(none)" : *value;
}

TEST_CASE("an object starts with the initial values of its hints") {
  const Hints hints(communicator_hints());
  CHECK(value_of(hints, "mpi_assert_no_any_tag") == "false");
  CHECK(value_of(hints, "mpi_memory_alloc_kinds") == "system,mpi");
  CHECK(value_of(hints, "mpi_assert_memory_alloc_kinds") == "(none)");
  CHECK_FALSE(hints.asserts("mpi_assert_no_any_tag"));
}

TEST_CASE("known keys with valid values are stored, everything else is ignored") {
  Hints hints(communicator_hints());
  Info wanted;
  wanted.set("mpi_assert_no_any_tag", "true");
  wanted.set("mpi_assert_exact_length", "perhaps");
  wanted.set("mpi_memory_alloc_kinds", "gpu");
  wanted.set("mpi_assert_memory_alloc_kinds", "system");
  wanted.set("cb_nodes", "4");
  hints.apply(wanted);
  CHECK(hints.asserts("mpi_assert_no_any_tag"));
  CHECK(value_of(hints, "mpi_assert_exact_length") == "false");
  CHECK(value_of(hints, "mpi_memory_alloc_kinds") == "system,mpi");
  CHECK(value_of(hints, "mpi_assert_memory_alloc_kinds") == "system");
  CHECK(value_of(hints, "cb_nodes") == "(none)");
}

TEST_CASE("hints that a later info does not set stay") {
  Hints hints(communicator_hints());
  Info first, second;
  first.set("mpi_assert_no_any_tag", "true");
  second.set("mpi_assert_no_any_source", "true");
  hints.apply(first);
  hints.apply(second);
  CHECK(hints.asserts("mpi_assert_no_any_tag"));
  CHECK(hints.asserts("mpi_assert_no_any_source"));
}

}  // namespace
}  // namespace atl
