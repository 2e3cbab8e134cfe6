#include "datatype/datatype.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

constexpr std::uintptr_t kShortInt = 556;
constexpr std::uintptr_t kDoubleInt = 553;
constexpr std::uintptr_t kInt = 521;
constexpr std::byte kGap{0xee};

TEST_CASE("a predefined type has the size and the extent of its C type") {
  struct DoubleInt {
    double value;
    int index;
  };
  const Datatype* type = predefined(kDoubleInt);
  REQUIRE(type != nullptr);
  CHECK(type->name() == "MPI_DOUBLE_INT");
  CHECK(type->size() == sizeof(double) + sizeof(int));
  CHECK(type->extent() == sizeof(DoubleInt));
  CHECK(type->true_extent() == sizeof(double) + sizeof(int));
  CHECK_FALSE(type->is_contiguous());
  CHECK(predefined(kInt)->is_contiguous());
}

TEST_CASE("values that name no datatype give none") {
  for (const std::uintptr_t handle : {0ul, 511ul, 512ul, 516ul, 767ul, 768ul, ~0ul}) {
    CHECK(predefined(handle) == nullptr);
  }
}

TEST_CASE("any split of the stream packs and unpacks the same bytes and leaves gaps alone") {
  struct ShortInt {
    short value;
    int index;
  };
  const Datatype& type = *predefined(kShortInt);
  constexpr std::size_t kCount = 5;
  std::vector<ShortInt> source(kCount);
  std::memset(source.data(), 0x11, kCount * sizeof(ShortInt));
  for (std::size_t i = 0; i < kCount; ++i) {
    source[i].value = static_cast<short>(100 + i);
    source[i].index = static_cast<int>(100000 + i);
  }
  const std::size_t total = kCount * type.size();
  for (std::size_t piece = 1; piece <= total; ++piece) {
    std::vector<std::byte> stream(total);
    std::vector<std::byte> target(kCount * sizeof(ShortInt), kGap);
    for (std::size_t start = 0; start < total; start += piece) {
      const std::size_t length = std::min(piece, total - start);
      type.pack(source.data(), start, std::span(stream).subspan(start, length));
      type.unpack(target.data(), start, std::span(stream).subspan(start, length));
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      ShortInt got;
      std::memcpy(&got, target.data() + i * sizeof got, sizeof got);
      CHECK(got.value == source[i].value);
      CHECK(got.index == source[i].index);
      CHECK(target[i * sizeof got + 2] == kGap);
      CHECK(target[i * sizeof got + 3] == kGap);
    }
  }
}

TEST_CASE("basic values are counted within an element") {
  const Datatype& type = *predefined(kShortInt);
  CHECK(type.basic_values_in(0) == 0);
  CHECK(type.basic_values_in(1) == 0);
  CHECK(type.basic_values_in(2) == 1);
  CHECK(type.basic_values_in(6) == 2);
  CHECK(type.basic_values_in(8) == 3);
  for (std::size_t values = 0; values < 7; ++values) {
    CHECK(type.basic_values_in(type.bytes_of_basic_values(values)) == values);
  }
}

TEST_CASE("signatures agree where representations do") {
  const auto signature = [](std::uintptr_t handle) { return predefined(handle)->signature(); };
  CHECK(signatures_match(signature(521), signature(592)));        // int, int32_t
  CHECK(signatures_match(signature(534), signature(532)));        // double complex, double
  CHECK_FALSE(signatures_match(signature(521), signature(528)));  // int, float
  CHECK_FALSE(signatures_match(signature(521), signature(522)));  // int, long
  CHECK(signatures_match(signature(583), signature(532)));        // byte, double
  CHECK_FALSE(signatures_match(signature(553), signature(552)));  // double-int, float-int
  CHECK(describe(signature(532)) == "8-byte reals");
}

}  // namespace
}  // namespace atl::datatype
