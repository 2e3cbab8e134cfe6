// Compares random types with the oracle, which expands type maps.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <vector>

#include "datatype/testing/invariants.h"
#include "datatype/testing/random_type.h"

namespace atl::datatype::testing {
namespace {

constexpr std::uint64_t kTypes = 5000;
constexpr std::size_t kValues = 400;

template <class Check>
void for_random_types(Check check) {
  for (std::uint64_t seed = 0; seed < kTypes; ++seed) {
    CAPTURE(seed);
    const std::vector<std::uint8_t> bytes = random_bytes(seed, 96);
    Choices choices(bytes);
    const Reference type = random_type(choices, 4, kValues);
    const_cast<Datatype&>(*type).commit();
    CHECK(check(*type, type_map(*type)));
  }
}

TEST_CASE("size and bounds are those of the type map") { for_random_types(has_right_bounds); }

TEST_CASE("any cut of the stream packs what the type map says") { for_random_types(packs); }

TEST_CASE("any cut of the stream unpacks to where the type map says and nowhere else") {
  for_random_types(unpacks);
}

TEST_CASE("basic values are counted in every part of the stream") {
  for_random_types(counts_values);
}

TEST_CASE("the signature of every part of the stream depends on its values alone") {
  for_random_types(signs);
}

TEST_CASE("data packed as external32 is unpacked unchanged") { for_random_types(converts); }

TEST_CASE("types with the same type map have the same program, however they were built") {
  for_random_types(is_canonical);
}

TEST_CASE("the random types are sufficiently diverse") {
  int empty = 0, contiguous = 0, overlapping = 0, loops = 0, large = 0;
  for_random_types([&](const Datatype& type, const TypeMap& map) {
    empty += type.size() == 0;
    contiguous += type.is_contiguous();
    overlapping += overlaps(map, 2);
    if (type.size() != 0) loops += type.program().nodes()[0].dimensions.size() > 2;
    large += type.basic_values() > 100;
    return true;
  });
  CHECK(empty < kTypes / 2);
  CHECK(contiguous < kTypes / 2);
  CHECK(overlapping < kTypes / 2);
  CHECK(loops > 100);
  CHECK(large > 100);
}

}  // namespace
}  // namespace atl::datatype::testing
