#include "runtime/op/reduction_kernels.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::op {
namespace {

constexpr Code kArithmetic[] = {Code::sum, Code::prod, Code::min, Code::max};
constexpr Code kBitwise[] = {Code::band, Code::bor, Code::bxor};
constexpr Code kLogical[] = {Code::land, Code::lor, Code::lxor};
constexpr Code kLocations[] = {Code::minloc, Code::maxloc};
constexpr std::size_t kCounts[] = {0, 1, 2, 3, 15, 64, 1001};

// The kernels of both instruction sets, as far as this processor supports them.
std::vector<Kernel> kernels(Code code, const Operand& operand) {
  std::vector<Kernel> found = {baseline::find_kernel(code, operand)};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) found.push_back(avx2::find_kernel(code, operand));
#endif
  return found;
}

// The result that the standard defines, computed in wide values that are truncated afterwards.
template <class Wide>
Wide expected(Code code, Wide a, Wide b) {
  switch (code) {
    case Code::sum: return a + b;
    case Code::prod: return a * b;
    case Code::min: return b < a ? b : a;
    case Code::max: return b < a ? a : b;
    case Code::land: return (a != 0) && (b != 0);
    case Code::lor: return (a != 0) || (b != 0);
    default: return (a != 0) != (b != 0);
  }
}

template <class T>
T expected_bits(Code code, T a, T b) {
  if (code == Code::band) return static_cast<T>(a & b);
  if (code == Code::bor) return static_cast<T>(a | b);
  return static_cast<T>(a ^ b);
}

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    // A quarter of the values are 0, for logical operations.
    value = static_cast<T>(random() % 4 == 0 ? 0 : static_cast<std::int64_t>(random() % 512) - 256);
  }
  return values;
}

template <class T>
void compare(Code code, const Operand& operand, const std::function<T(T, T)>& oracle) {
  for (const Kernel kernel : kernels(code, operand)) {
    REQUIRE(bool(kernel != nullptr));
    for (const std::size_t count : kCounts) {
      const auto in = random_values<T>(count, 1);
      const auto old = random_values<T>(count, 2);
      auto right = old;
      kernel(in.data(), right.data(), right.data(), count);
      auto left = in;
      kernel(left.data(), old.data(), left.data(), count);
      std::vector<T> apart(count);
      kernel(in.data(), old.data(), apart.data(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const T wanted = oracle(in[i], old[i]);
        CHECK(bool(right[i] == wanted));
        CHECK(bool(left[i] == wanted));
        CHECK(bool(apart[i] == wanted));
      }
    }
  }
}

template <class T, class Wide>
void integers(Element element) {
  const auto check_with = [&](std::span<const Code> codes, Group group) {
    for (const Code code : codes) {
      compare<T>(code, {group, element},
                 [&](T a, T b) { return static_cast<T>(expected<Wide>(code, a, b)); });
    }
  };
  check_with(kArithmetic, Group::c_integer);
  check_with(kArithmetic, Group::integer);
  check_with(kLogical, Group::c_integer);
  check_with(kLogical, Group::logical);
  for (const Code code : kBitwise) {
    for (const Group group : {Group::c_integer, Group::integer, Group::byte}) {
      compare<T>(code, {group, element}, [&](T a, T b) { return expected_bits(code, a, b); });
    }
  }
}

template <class T>
void reals(Element element) {
  for (const Code code : kArithmetic) {
    compare<T>(code, {Group::floating, element},
               [&](T a, T b) { return static_cast<T>(expected<T>(code, a, b)); });
  }
}

TEST_CASE("integers of all widths") {
  integers<std::int8_t, __int128>(Element::i8);
  integers<std::uint8_t, __int128>(Element::u8);
  integers<std::int16_t, __int128>(Element::i16);
  integers<std::uint16_t, __int128>(Element::u16);
  integers<std::int32_t, __int128>(Element::i32);
  integers<std::uint32_t, __int128>(Element::u32);
  integers<std::int64_t, __int128>(Element::i64);
  integers<std::uint64_t, unsigned __int128>(Element::u64);
  integers<__int128, __int128>(Element::i128);
}

TEST_CASE("reals of all widths") {
  reals<_Float16>(Element::f16);
  reals<float>(Element::f32);
  reals<double>(Element::f64);
  reals<long double>(Element::f80);
  reals<__float128>(Element::f128);
}

TEST_CASE("sums and products of integers wrap") {
  const std::uint16_t in = 0xffff;
  for (const Kernel kernel : kernels(Code::prod, {Group::integer, Element::u16})) {
    std::uint16_t inout = 0xffff;
    kernel(&in, &inout, &inout, 1);
    CHECK(inout == 1);
  }
  const std::int32_t most = INT32_MAX;
  for (const Kernel kernel : kernels(Code::sum, {Group::integer, Element::i32})) {
    std::int32_t inout = 1;
    kernel(&most, &inout, &inout, 1);
    CHECK(inout == INT32_MIN);
  }
}

TEST_CASE("complex numbers") {
  const double in[] = {1, 2, 3, -4};
  for (const Kernel kernel : kernels(Code::prod, {Group::complex, Element::f64})) {
    double inout[] = {5, -6, 0.5, 2};
    kernel(in, inout, inout, 2);
    CHECK(inout[0] == 1 * 5 - 2 * -6);
    CHECK(inout[1] == 1 * -6 + 2 * 5);
    CHECK(inout[2] == 3 * 0.5 - -4 * 2);
    CHECK(inout[3] == 3 * 2 + -4 * 0.5);
  }
  CHECK(bool(find_kernel(Code::max, {Group::complex, Element::f64}) == nullptr));
}

template <class V, class I>
void locations(const Operand& operand) {
  struct Pair {
    V value;
    I index;
  };
  // Smaller value, larger value, equal values with either index first.
  const Pair in[] = {{1, 7}, {9, 7}, {4, 7}, {4, 2}};
  const Pair old[] = {{4, 3}, {4, 3}, {4, 3}, {4, 3}};
  const Pair least[] = {{1, 7}, {4, 3}, {4, 3}, {4, 2}};
  const Pair most[] = {{4, 3}, {9, 7}, {4, 3}, {4, 2}};
  for (const Code code : kLocations) {
    for (const Kernel kernel : kernels(code, operand)) {
      REQUIRE(bool(kernel != nullptr));
      Pair inout[4];
      std::memcpy(inout, old, sizeof old);
      kernel(in, inout, inout, 4);
      const Pair* right = code == Code::minloc ? least : most;
      for (int i = 0; i < 4; ++i) {
        CHECK(bool(inout[i].value == right[i].value));
        CHECK(bool(inout[i].index == right[i].index));
      }
    }
  }
}

const datatype::Datatype& predefined(MPI_Datatype handle) {
  return *datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
}

TEST_CASE("a value and its index") {
  locations<float, int>(*operand_of(predefined(MPI_FLOAT_INT)));
  locations<double, int>(*operand_of(predefined(MPI_DOUBLE_INT)));
  locations<long, int>(*operand_of(predefined(MPI_LONG_INT)));
  locations<int, int>(*operand_of(predefined(MPI_2INT)));
  locations<short, int>(*operand_of(predefined(MPI_SHORT_INT)));
  locations<long double, int>(*operand_of(predefined(MPI_LONG_DOUBLE_INT)));
  locations<float, float>(*operand_of(predefined(MPI_2REAL)));
  locations<double, double>(*operand_of(predefined(MPI_2DOUBLE_PRECISION)));
  locations<std::uint8_t, std::int64_t>({Group::pair, Element::u8, Element::i64});
}

bool defined(MPI_Datatype type, std::span<const Code> codes) {
  const auto operand = operand_of(predefined(type));
  bool all = true;
  bool any = false;
  for (const Code code : codes) {
    const bool one = operand && find_kernel(code, *operand) != nullptr;
    all &= one;
    any |= one;
  }
  CHECK(all == any);
  return all;
}

// MPI 5.0, 6.9.2.
TEST_CASE("which operations are defined on which types") {
  const Code sum_and_product[] = {Code::sum, Code::prod};
  const Code extremes[] = {Code::min, Code::max};
  struct Row {
    MPI_Datatype type;
    bool extremes, sums, logical, bits, locations;
  };
  const Row rows[] = {
      {MPI_INT, true, true, true, true, false},
      {MPI_UNSIGNED_CHAR, true, true, true, true, false},
      {MPI_INTEGER8, true, true, false, true, false},
      {MPI_DOUBLE, true, true, false, false, false},
      {MPI_REAL2, true, true, false, false, false},
      {MPI_LOGICAL, false, false, true, false, false},
      {MPI_C_BOOL, false, false, true, false, false},
      {MPI_C_DOUBLE_COMPLEX, false, true, false, false, false},
      {MPI_BYTE, false, false, false, true, false},
      {MPI_AINT, true, true, true, true, false},
      {MPI_COUNT, true, true, true, true, false},
      {MPI_DOUBLE_INT, false, false, false, false, true},
      {MPI_CHAR, false, false, false, false, false},
      {MPI_PACKED, false, false, false, false, false},
  };
  for (const Row& row : rows) {
    CAPTURE(predefined(row.type).name());
    CHECK(defined(row.type, extremes) == row.extremes);
    CHECK(defined(row.type, sum_and_product) == row.sums);
    CHECK(defined(row.type, kLogical) == row.logical);
    CHECK(defined(row.type, kBitwise) == row.bits);
    CHECK(defined(row.type, kLocations) == row.locations);
  }
}

TEST_CASE("a duplicate has the operand of its type, other derived types have none") {
  const auto dup = datatype::make_dup(predefined(MPI_DOUBLE));
  CHECK(operand_of(*dup.type).has_value());
  const auto row = datatype::make_contiguous(2, predefined(MPI_DOUBLE));
  CHECK_FALSE(operand_of(*row.type).has_value());
}

}  // namespace
}  // namespace atl::op
