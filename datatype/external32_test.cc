#include "datatype/external32.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

template <class Value>
Bytes packed(std::uintptr_t handle, const Value& value) {
  const Datatype& type = *predefined(handle);
  Bytes bytes(external_size(type));
  CHECK(pack_external(type, &value, 1, bytes.data()));
  return bytes;
}

// Checks that a value is the same after packing and unpacking.
template <class Value>
void comes_back(std::uintptr_t handle, Value value) {
  const Bytes bytes = packed(handle, value);
  Value back{};
  unpack_external(*predefined(handle), &back, 1, bytes.data());
  CHECK(back == value);
}

TEST_CASE("sizes are those of the standard's table") {
  struct Row {
    std::uintptr_t handle;
    std::size_t size;
  };
  // MPI 5.0, 14.5.2: PACKED, BYTE, CHAR, WCHAR, SHORT, INT, LONG, UNSIGNED_LONG, LONG_LONG,
  // FLOAT, DOUBLE, LONG_DOUBLE, C_BOOL, AINT, COUNT, OFFSET, the complex types, LOGICAL,
  // INTEGER, REAL, DOUBLE_PRECISION, and REAL2, INTEGER16, COMPLEX32 of the optional ones.
  for (const Row& row : {Row{519, 1}, {583, 1}, {579, 1}, {572, 2},  {520, 2},  {521, 4}, {522, 4},
                         {526, 4},    {523, 8}, {528, 4}, {532, 8},  {544, 16}, {568, 1}, {513, 8},
                         {514, 8},    {515, 8}, {530, 8}, {534, 16}, {548, 32}, {536, 4}, {537, 4},
                         {538, 4},    {540, 8}, {714, 2}, {737, 16}, {747, 32}}) {
    CAPTURE(row.handle);
    CHECK(external_size(*predefined(row.handle)) == row.size);
  }
}

TEST_CASE("numbers are big-endian") {
  CHECK(packed(521, 0x01020304) == bytes_of({1, 2, 3, 4}));
  CHECK(packed(520, short{-2}) == bytes_of({0xff, 0xfe}));
  CHECK(packed(532, 1.0) == bytes_of({0x3f, 0xf0, 0, 0, 0, 0, 0, 0}));
  CHECK(packed(579, 'x') == bytes_of({'x'}));
}

TEST_CASE("a long has four bytes in external32, a wide character two") {
  CHECK(packed(522, -2L) == bytes_of({0xff, 0xff, 0xff, 0xfe}));
  CHECK(packed(526, 0xfffffffful) == bytes_of({0xff, 0xff, 0xff, 0xff}));
  CHECK(packed(572, L'\x4e2d') == bytes_of({0x4e, 0x2d}));
  comes_back(522, -123456L);
  comes_back(526, 0xfffffffful);
  comes_back(572, L'\xffee');
}

TEST_CASE("values that do not fit are reported") {
  std::byte room[8];
  for (const long value : {1L << 31, -(1L << 31) - 1, std::numeric_limits<long>::max()}) {
    CHECK_FALSE(pack_external(*predefined(522), &value, 1, room));
  }
  const unsigned long wide = 1ul << 32;
  CHECK_FALSE(pack_external(*predefined(526), &wide, 1, room));
  const long narrow = -(1L << 31);
  CHECK(pack_external(*predefined(522), &narrow, 1, room));
}

TEST_CASE("long double is binary128 in external32") {
  Bytes expected(16);
  expected[0] = std::byte{0xbf};  // sign and exponent of -1.5
  expected[1] = std::byte{0xff};
  expected[2] = std::byte{0x80};
  CHECK(packed(544, -1.5L) == expected);
  comes_back(544, 1.0L / 3);
  comes_back(544, std::numeric_limits<long double>::infinity());
}

TEST_CASE("the two parts of a complex number are numbers of their own") {
  const float parts[] = {1, 2};
  CHECK(packed(530, parts) == bytes_of({0x3f, 0x80, 0, 0, 0x40, 0, 0, 0}));
}

TEST_CASE("a struct has no gaps in external32") {
  struct Record {
    char name;
    long number;
    double values[2];
  };
  const Count lengths[] = {1, 1, 2};
  const Count displacements[] = {offsetof(Record, name), offsetof(Record, number),
                                 offsetof(Record, values)};
  const Datatype* const types[] = {predefined(579), predefined(522), predefined(532)};
  const Made made = make_struct(lengths, displacements, types);
  CHECK(external_size(*made.type) == 1 + 4 + 16);
  const Record records[] = {{'a', 1, {1, 2}}, {'b', -1, {3, 4}}};
  Bytes bytes(2 * 21);
  CHECK(pack_external(*made.type, records, 2, bytes.data()));
  CHECK(bytes[0] == std::byte{'a'});
  CHECK(bytes[4] == std::byte{1});
  CHECK(bytes[21] == std::byte{'b'});
  CHECK(bytes[22] == std::byte{0xff});
  Record back[2] = {};
  unpack_external(*made.type, back, 2, bytes.data());
  for (int i = 0; i < 2; ++i) {
    CHECK(back[i].name == records[i].name);
    CHECK(back[i].number == records[i].number);
    CHECK(back[i].values[1] == records[i].values[1]);
  }
}

}  // namespace
}  // namespace atl::datatype
