#include "runtime/coll/framework/blocks.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>

#include "datatype/constructors.h"
#include "runtime/type/type_handles.h"

namespace atl::coll {
namespace {

using Type = boost::intrusive_ptr<Datatype>;

const Datatype& type_of(MPI_Datatype handle) { return *datatypes.find(handle); }
const Datatype& int_type() { return type_of(MPI_INT); }

Type committed(const datatype::Made& made) {
  REQUIRE(made);
  made.type->commit();
  return made.type;
}
Type with_gap() { return committed(datatype::make_resized(int_type(), 0, 12)); }
// An int 8 bytes behind the address.
Type behind() {
  const datatype::Count length = 1, displacement = 8;
  return committed(datatype::make_hindexed({&length, 1}, {&displacement, 1}, int_type()));
}

// Of a block, in bytes, and the place where it begins.
struct Extent {
  std::ptrdiff_t start;
  std::size_t count;
  std::size_t bytes;
  bool operator==(const Extent&) const = default;
};
Extent extent(const Blocks& blocks, int rank, const void* buffer) {
  const Data data = blocks[rank];
  CHECK(data.bytes() == blocks.bytes(rank));
  return {static_cast<std::byte*>(data.address) - static_cast<const std::byte*>(buffer), data.count,
          data.bytes()};
}

std::array<std::byte, 400> memory;
std::byte* const buffer = memory.data();

TEST_CASE("equal blocks follow each other at multiples of the extent") {
  const Type type = with_gap();
  const Blocks blocks(buffer, 3, type.get());
  CHECK(blocks.alike());
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(extent(blocks, rank, buffer) == Extent{rank * 3 * 12, 3, 12});
    CHECK(blocks[rank].type == type.get());
  }
  CHECK(blocks.together(4).address == buffer);
  CHECK(blocks.together(4).count == 12);
  CHECK(blocks.total_bytes(4) == 48);
  CHECK(blocks.most_bytes(4) == 12);
  constexpr std::size_t kLarge = 1 << 30;  // bytes are beyond the range of int
  CHECK(extent(Blocks(buffer, kLarge, &int_type()), 5, buffer) ==
        Extent{5 * 4 * std::ptrdiff_t{kLarge}, kLarge, 4 * kLarge});
}

TEST_CASE("listed blocks have a count and a displacement in extents each") {
  const Type type = with_gap();
  const int counts[] = {2, 0, 5}, displacements[] = {7, 0, -1};
  const MPI_Count wide_counts[] = {2, 0, 5}, wide_displacements[] = {7, 0, -1};
  const Blocks narrow(buffer, counts, displacements, type.get());
  const Blocks wide(buffer, wide_counts, wide_displacements, type.get());
  for (const Blocks& blocks : {narrow, wide}) {
    CHECK_FALSE(blocks.alike());
    CHECK(extent(blocks, 0, buffer) == Extent{84, 2, 8});
    CHECK(extent(blocks, 1, buffer) == Extent{0, 0, 0});
    CHECK(extent(blocks, 2, buffer) == Extent{-12, 5, 20});
    CHECK(blocks.total_bytes(3) == 28);
    CHECK(blocks.total_bytes(2) == 8);
    CHECK(blocks.most_bytes(3) == 20);
    CHECK(blocks.most_bytes(2) == 8);
  }
}

TEST_CASE("typed blocks have displacements in bytes") {
  const int counts[] = {2, 3}, displacements[] = {7, 40};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_SHORT};
  const Blocks blocks(buffer, counts, displacements, types, 2);
  CHECK_FALSE(blocks.alike());
  CHECK(extent(blocks, 0, buffer) == Extent{7, 2, 16});
  CHECK(extent(blocks, 1, buffer) == Extent{40, 3, 6});
  CHECK(blocks[1].type == &type_of(MPI_SHORT));
  CHECK(blocks.most_bytes(2) == 16);
}

TEST_CASE("kept arrays do not change with those of the program") {
  int counts[] = {1, 2}, displacements[] = {3, 4};
  Blocks blocks(buffer, counts, displacements, &int_type());
  KeptNumbers kept;
  blocks.keep(kept, 2);
  for (int* numbers : {counts, displacements}) numbers[0] = numbers[1] = 99;
  CHECK(extent(blocks, 0, buffer) == Extent{12, 1, 4});
  CHECK(extent(blocks, 1, buffer) == Extent{16, 2, 8});
}

std::string wrong(const Blocks& blocks, const Names& names, int error_class) {
  const Error error = blocks.check(names, 2);
  CHECK(error.error_class() == error_class);
  return error ? error.text() : "";
}

TEST_CASE("the first wrong block is named") {
  const int one_each[] = {1, 1}, negative[] = {1, -1}, none[] = {0, 0};
  const int* const null = nullptr;
  const Names typed = {"sendbuf", "sendcounts", "sendtypes"};
  const MPI_Datatype types[] = {MPI_INT, MPI_DATATYPE_NULL};
  const datatype::Made uncommitted = datatype::make_contiguous(2, int_type());
  const Type low = behind();
  const auto listed = [&](void* at, Numbers counts, const Datatype* type = &int_type()) {
    return Blocks(at, counts, one_each, type);
  };
  CHECK(wrong(Blocks(buffer, 1, &int_type()), kSend, MPI_SUCCESS) == "");
  CHECK(wrong(Blocks(buffer, -1, &int_type()), kSend, MPI_ERR_COUNT) == "sendcount=-1 is negative");
  CHECK(wrong(Blocks(buffer, 1, uncommitted.type.get()), kSend, MPI_ERR_TYPE)
            .ends_with(" is not committed"));
  CHECK(wrong(Blocks(buffer, 1, nullptr), kReceive, MPI_ERR_TYPE).starts_with("recvtype is "));
  CHECK(wrong(Blocks(nullptr, 1, &int_type()), kReceive, MPI_ERR_BUFFER)
            .starts_with("recvbuf is a null pointer"));
  CHECK(wrong(Blocks(nullptr, 0, &int_type()), kSend, MPI_SUCCESS) == "");
  CHECK(wrong(Blocks(nullptr, 1, low.get()), kSend, MPI_SUCCESS) == "");  // MPI_BOTTOM
  CHECK(wrong(Blocks(MPI_IN_PLACE, 0, &int_type()), kSend, MPI_ERR_BUFFER) ==
        "sendbuf=MPI_IN_PLACE is not allowed here");
  CHECK(wrong(listed(buffer, one_each), kSendListed, MPI_SUCCESS) == "");
  CHECK(wrong(listed(buffer, negative), kSendListed, MPI_ERR_COUNT) ==
        "sendcounts[1]=-1 is negative");
  CHECK(wrong(listed(buffer, null), kSendListed, MPI_ERR_ARG) == "sendcounts is a null pointer");
  CHECK(wrong(listed(buffer, one_each, nullptr), kSendListed, MPI_ERR_TYPE) != "");
  CHECK(wrong(Blocks(buffer, one_each, null, &int_type()), kSendListed, MPI_ERR_ARG) != "");
  CHECK(wrong(Blocks(buffer, one_each, one_each, types, 2), typed, MPI_ERR_TYPE)
            .starts_with("sendtypes[1] is MPI_DATATYPE_NULL"));
  CHECK(wrong(Blocks(buffer, one_each, one_each, nullptr, 2), typed, MPI_ERR_ARG) ==
        "sendtypes is a null pointer");
  // With MPI_BOTTOM displacements are addresses; the first page has no data.
  CHECK(wrong(listed(MPI_BOTTOM, one_each), kSendListed, MPI_ERR_BUFFER) != "");
  CHECK(wrong(listed(MPI_BOTTOM, one_each, nullptr), kSendListed, MPI_ERR_TYPE) != "");
  CHECK(wrong(listed(MPI_BOTTOM, none), kSendListed, MPI_SUCCESS) == "");
  const MPI_Count addresses[] = {reinterpret_cast<MPI_Count>(buffer), 4096};
  CHECK(wrong(Blocks(MPI_BOTTOM, one_each, addresses, &type_of(MPI_BYTE)), kSend, MPI_SUCCESS) ==
        "");
}

bool overlap(const Data& out, const Data& in) {
  const Error error = check_apart(out, in);
  CHECK((!error || error.error_class() == MPI_ERR_BUFFER));
  return static_cast<bool>(error);
}

TEST_CASE("buffers overlap where they certainly share a byte") {
  const Type gap = with_gap(), low = behind();
  const Data eight{buffer, 2, &int_type()};
  for (int at = 0; at < 12; ++at) {
    CAPTURE(at);
    CHECK(overlap(eight, {buffer + at, 1, &int_type()}) == (at < 8));
    CHECK(overlap({buffer + at, 1, &int_type()}, eight) == (at < 8));
    CHECK_FALSE(overlap(eight, {buffer + at, 0, &int_type()}));
    CHECK_FALSE(overlap({buffer + at, 0, &int_type()}, eight));
    // One may lie in the gaps of the other, except for its first byte.
    CHECK(overlap({buffer, 2, gap.get()}, {buffer + at, 1, &int_type()}) == (at == 0));
  }
  CHECK(overlap({buffer, 1, low.get()}, {buffer + 8, 1, &int_type()}));
  CHECK_FALSE(overlap({buffer, 1, low.get()}, {buffer, 2, &int_type()}));
  CHECK(static_cast<bool>(
      check_apart(Blocks(buffer, 1, &int_type()), 3, Blocks(buffer + 8, 1, &int_type()), 3)));
  CHECK_FALSE(
      check_apart(Blocks(buffer, 1, &int_type()), 2, Blocks(buffer + 8, 1, &int_type()), 2));
}

TEST_CASE("listed blocks overlap where two of them do") {
  std::mt19937 random(9);
  int overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    int counts[2][4], displacements[2][4];
    for (int side = 0; side < 2; ++side) {
      for (int rank = 0; rank < 4; ++rank) {
        counts[side][rank] = static_cast<int>(random() % 4);
        displacements[side][rank] = static_cast<int>(random() % 60);
      }
    }
    const Blocks out(buffer, counts[0], displacements[0], &int_type());
    const Blocks in(buffer, counts[1], displacements[1], &int_type());
    bool expected = false;
    for (int from = 0; from < 4; ++from) {
      for (int to = 0; to < 3; ++to) expected |= overlap(out[from], in[to]);
    }
    REQUIRE(static_cast<bool>(check_apart(out, 4, in, 3)) == expected);
    overlapping += expected;
  }
  CHECK(overlapping > 500);
  CHECK(overlapping < 2500);
}

TEST_CASE("the root of an inter-communicator passes MPI_ROOT") {
  Communicator local(RankMap::range(0, 1, 4), 2, 3);
  const Communicator inter(RankMap::range(0, 1, 4), RankMap::range(4, 1, 3), 2, 5, local);
  CHECK(is_root(2, local));
  CHECK_FALSE(is_root(1, local));
  CHECK(is_root(MPI_ROOT, inter));
  CHECK_FALSE(is_root(2, inter));
  CHECK_FALSE(is_root(MPI_PROC_NULL, inter));
}

TEST_CASE("a rank gives itself as many bytes as it expects") {
  CHECK_FALSE(check_own_block(8, 8));
  const Error error = check_own_block(8, 12);
  CHECK(error.error_class() == MPI_ERR_COUNT);
  CHECK(error.text().starts_with("this rank gives itself 8 bytes"));
}

}  // namespace
}  // namespace atl::coll
