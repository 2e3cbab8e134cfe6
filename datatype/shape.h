// The compiler's representation of a type map: loops. A sequence of items represents the contiguous
// blocks of bytes of one element, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "datatype/problem.h"

namespace atl::datatype {

// A contiguous block of bytes ("run") or a loop; equal shapes have equal codes.
class Shape {
 public:
  static Shape run(std::size_t bytes) { return Shape(bytes << 1); }
  static Shape loop(std::size_t index) { return Shape(index << 1 | 1); }

  bool is_run() const { return (code_ & 1) == 0; }
  std::size_t bytes() const { return code_ >> 1; }  // of a contiguous block
  std::size_t index() const { return code_ >> 1; }  // of a loop
  std::uint64_t code() const { return code_; }

  bool operator==(const Shape&) const = default;

 private:
  explicit Shape(std::uint64_t code) : code_(code) {}

  std::uint64_t code_;
};

// A shape and its offset, which is that of its first contiguous block.
struct Item {
  Count offset;
  Shape shape;

  bool operator==(const Item&) const = default;
};

using Sequence = std::vector<Item>;

// `count` copies of the body, `stride` bytes apart. The first item of the body is at offset 0. A
// loop of one iteration makes a long sequence that occurs often a single item.
struct Loop {
  Count count;
  Count stride;
  Sequence body;
  std::size_t runs;  // contiguous blocks in all iterations, at most kManyRuns

  bool operator==(const Loop&) const = default;
};

inline constexpr std::size_t kManyRuns = std::size_t{1} << 62;

// The loops of a program, without duplicates.
class Shapes {
 public:
  // The shape of the loop, added if it is new; `body` starts at offset 0.
  Shape intern(Count count, Count stride, Sequence body);

  const Loop& loop(Shape shape) const { return loops_[shape.index()]; }
  std::size_t runs(const Sequence& sequence) const;

  // The first and the last contiguous block of an item.
  Item first_run(Item item) const;
  Item last_run(Item item) const;

 private:
  std::vector<Loop> loops_;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash_;
};

inline Count end_of(const Item& run) { return run.offset + static_cast<Count>(run.shape.bytes()); }

}  // namespace atl::datatype
