#include "datatype/compile.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"
#include "datatype/print.h"
#include "datatype/testing/invariants.h"

namespace atl::datatype {
namespace {

using List = std::vector<Count>;

const Datatype& integer() { return *predefined(521); }
const Datatype& real() { return *predefined(532); }
const Datatype& character() { return *predefined(579); }

const Program& program(const Made& made) {
  made.type->commit();
  return made.type->program();
}

std::size_t bytes_of(const Program& program) {
  std::size_t bytes = 0;
  for (const Node& node : program.nodes()) {
    bytes += sizeof node + node.dimensions.size() * sizeof(Dimension) +
             node.offsets.size() * sizeof(Count) + node.starts.size() * sizeof(std::size_t) +
             node.parts.size() * sizeof(Part);
  }
  return bytes;
}

Made with_extent(const Made& made, Count extent) { return make_resized(*made.type, 0, extent); }

TEST_CASE("one type map, built in many ways, is one program") {
  constexpr Count kRows = 300;
  constexpr Count kStride = 10;
  constexpr Count kExtent = kRows * kStride * 8;
  List displacements, bytes, ones(kRows, 1);
  for (Count i = 0; i < kRows; ++i) {
    displacements.push_back(i * kStride);
    bytes.push_back(i * kStride * 8);
  }
  const Made vector = with_extent(make_vector(kRows, 1, kStride, real()), kExtent);
  const Made half = make_vector(kRows / 2, 1, kStride, real());
  const List halves{0, kRows / 2 * kStride * 8};
  const std::vector<const Datatype*> reals(kRows, &real());
  const Made spaced = make_resized(real(), 0, kStride * 8);
  for (const Made& other :
       {with_extent(make_hvector(kRows, 8, kStride * 8, character()), kExtent),
        with_extent(make_indexed(ones, displacements, real()), kExtent),
        with_extent(make_hindexed_block(1, bytes, real()), kExtent),
        with_extent(make_struct(ones, bytes, reals), kExtent),
        with_extent(make_hindexed_block(1, halves, *half.type), kExtent),
        make_contiguous(kRows, *spaced.type),
        make_subarray(List{kRows, kStride}, List{kRows, 1}, List{0, 0}, Order::c, real())}) {
    CHECK(program(other) == program(vector));
  }
}

TEST_CASE("adjacent fields are one contiguous block") {
  const Datatype* const types[] = {&integer(), &integer(), &real(), &character()};
  const Made fields = make_struct(List{1, 1, 2, 8}, List{0, 4, 8, 24}, types);
  CHECK(program(fields) == program(make_contiguous(4, real())));
  CHECK(fields.type->is_contiguous());
}

TEST_CASE("the last block of an iteration is merged with the first of the next") {
  const Datatype* const types[] = {&integer(), &integer()};
  const Made ends = make_struct(List{1, 1}, List{0, 8}, types);
  List displacements{0}, lengths{1};
  for (Count i = 0; i < 9999; ++i) {
    displacements.push_back(12 * i + 8);
    lengths.push_back(2);
  }
  displacements.push_back(12 * 9999 + 8);
  lengths.push_back(1);
  const Made list = make_hindexed(lengths, displacements, integer());
  CHECK(program(make_contiguous(10000, *ends.type)) == program(list));
}

// Too long to be expanded: only the rules for loops can merge these.
TEST_CASE("long loops that continue long loops are merged") {
  constexpr Count kMany = 100'000'000;
  const Made loop = make_vector(kMany, 1, 3, real());
  const Program& whole = program(loop);
  CHECK(whole.nodes().size() == 1);
  CHECK(bytes_of(whole) < 500);
  const auto same = [&](const Made& made) { return program(made) == whole; };
  const auto part = [&](Count count) { return make_vector(count, 1, 3, real()).type; };
  const Reference some = part(30'000'000);
  const Reference others = part(70'000'000);
  const Datatype* const parts[] = {some.get(), others.get()};
  const Made both = make_struct(List{1, 1}, List{0, 30'000'000 * 24}, parts);
  const Reference rest = part(kMany - 1);
  const Datatype* const one_and_rest[] = {&real(), rest.get()};
  const Datatype* const rest_and_one[] = {rest.get(), &real()};
  CHECK(same(make_struct(List{1, 1}, List{0, 24}, one_and_rest)));
  CHECK(same(make_struct(List{1, 1}, List{0, (kMany - 1) * 24}, rest_and_one)));
  CHECK(same(make_hvector(100, 1, kMany / 100 * 24, *part(kMany / 100))));
  CHECK(same(both));
}

TEST_CASE("loops twenty deep") {
  Made type = make_vector(3, 1, 2, real());
  for (int i = 0; i < 20; ++i) {
    type = make_hvector(3, 1, 2 * type.type->extent() + 8, *type.type);
  }
  const Program& compiled = program(type);
  CHECK(compiled.nodes().size() == 1);
  CHECK(compiled.nodes()[0].dimensions.size() == 22);
  CHECK(compiled.contiguous_blocks() == 10460353203);
}

// Nested lists: memory grows with the number of different lists, not with that of all blocks.
TEST_CASE("lists ten deep") {
  Made type = make_indexed_block(1, List{0, 2, 5, 9, 14}, integer());
  for (int i = 0; i < 9; ++i) {
    const Count e = type.type->extent();
    const List displacements{0, e + 4, 2 * e + 12, 3 * e + 16, 4 * e + 32};
    type = make_hindexed_block(1, displacements, *type.type);
  }
  const Program& compiled = program(type);
  CHECK(compiled.contiguous_blocks() == 9765625);
  CHECK(bytes_of(compiled) < 500'000);
}

TEST_CASE("a type map too long to be expanded copies the same data") {
  Made type = make_indexed_block(1, List{0, 2, 5, 9, 14}, integer());
  for (int i = 0; i < 6; ++i) {
    const Count e = type.type->extent();
    type = make_hindexed_block(1, List{0, e + 4, 2 * e + 12, 3 * e + 16, 4 * e + 32}, *type.type);
  }
  const Made loops = make_hvector(3, 2, 3 * type.type->extent(), *type.type);
  const Program& compiled = program(loops);
  CHECK(compiled.contiguous_blocks() > 6 * 78000);  // of 6 * 78125, some adjacent
  CHECK(compiled.nodes().size() > 2);
  const testing::TypeMap map = testing::type_map(*loops.type);
  CHECK(testing::has_right_bounds(*loops.type, map));
  std::vector<std::byte> memory(static_cast<std::size_t>(loops.type->extent()));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 37 >> 3);
  const std::vector<std::byte> expected = testing::naive_pack(map, memory.data(), 1);
  for (const std::size_t piece : {std::size_t{4093}, expected.size()}) {
    std::vector<std::byte> stream(expected.size());
    std::vector<std::byte> back(memory.size());
    for (std::size_t start = 0; start < stream.size(); start += piece) {
      const auto part = std::span(stream).subspan(start, std::min(piece, stream.size() - start));
      loops.type->pack(memory.data(), start, part);
      loops.type->unpack(back.data(), start, part);
    }
    CHECK(stream == expected);
    std::vector<std::byte> again(expected.size());
    loops.type->pack(back.data(), 0, again);
    CHECK(again == expected);
  }
}

TEST_CASE("ragged blocks take at most 16 bytes each") {
  constexpr std::size_t kBlocks = 1'000'000;
  std::mt19937 random(7);
  List lengths, displacements;
  Count at = 0;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    lengths.push_back(1 + random() % 9);
    displacements.push_back(at);
    at += lengths.back() + 1 + static_cast<Count>(random() % 9);
  }
  const Made ragged = make_indexed(lengths, displacements, real());
  const Made blocks = make_indexed_block(1, displacements, real());
  CHECK(bytes_of(program(ragged)) <= 16 * kBlocks + 1000);
  CHECK(bytes_of(program(blocks)) <= 16 * kBlocks + 1000);
}

TEST_CASE("elements that go on with the loop inside them make one loop") {
  const Made column = make_vector(16, 1, 8, real());
  const Made next = make_resized(*column.type, 0, 16 * 64);
  CHECK(program(next).nodes()[0].dimensions.size() == 1);
}

TEST_CASE("a header before many equal structs") {
  const Datatype* const fields[] = {&integer(), &real(), &integer()};
  const Made record = make_struct(List{1, 1, 1}, List{0, 16, 24}, fields);
  const Made records = make_contiguous(100, *record.type);
  const Datatype* const types[] = {&character(), records.type.get()};
  const Made message = make_struct(List{3, 1}, List{0, 16}, types);
  CHECK(program_text(program(message)) ==
        "at 0, 201 runs an element\n"
        "node 0: each element by 3216: node 1 at 0, node 2 at 16\n"
        "node 1: 3 bytes\n"
        "node 2: 100 by 32: blocks at 0 16 from bytes 0 4 16\n");
}

}  // namespace
}  // namespace atl::datatype
