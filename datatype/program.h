// What a datatype is compiled to: loops around runs of bytes, or around lists of
// them. Executed by execute.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datatype/kernels.h"
#include "datatype/problem.h"

namespace atl::datatype {

// A loop: turns, and how far they are apart in memory and in the stream.
struct Dimension {
  Count count;
  Count stride;
  std::size_t bytes;

  bool operator==(const Dimension&) const = default;
};

// A node within another; bytes of the stream before it.
struct Part {
  Count offset;
  std::size_t start;
  std::uint32_t node;

  bool operator==(const Part&) const = default;
};

struct Node {
  enum class Kind : std::uint8_t {
    run,       // `bytes` bytes at 0
    blocks,    // runs of `block` bytes at `offsets`
    ragged,    // runs at `offsets`, each from its start to the next one's
    sequence,  // `parts`
  };

  Kind kind = Kind::run;
  std::vector<Dimension> dimensions;  // around the content, outermost first
  std::size_t bytes = 0;              // of the content, once
  std::size_t block = 0;              // blocks; runs too
  std::vector<Count> offsets;
  std::vector<std::size_t> starts;  // ragged: one more than offsets
  std::vector<Part> parts;

  std::size_t total_bytes() const {
    return dimensions.empty() ? bytes
                              : static_cast<std::size_t>(dimensions[0].count) * dimensions[0].bytes;
  }

  // Of a run of a list.
  std::size_t run_bytes(std::size_t i) const {
    return kind == Kind::blocks ? block : starts[i + 1] - starts[i];
  }
  std::size_t run_start(std::size_t i) const {
    return kind == Kind::blocks ? i * block : starts[i];
  }

  bool operator==(const Node&) const = default;
};

class Program {
 public:
  // The first node is that of the elements: its outermost loop, of no given count,
  // runs over them. `offset` is where their first run lies.
  Program(std::vector<Node> nodes, Count offset, std::size_t runs)
      : nodes_(std::move(nodes)), offset_(offset), runs_(runs) {}

  const std::vector<Node>& nodes() const { return nodes_; }
  Count offset() const { return offset_; }
  // Runs of one element; at most kManyRuns.
  std::size_t runs() const { return runs_; }

  // Bytes of the stream that use up the cache lines they share; 0 where runs
  // that follow one another in the stream share them anyway (banded.h).
  std::size_t band() const;

  // As Datatype's.
  void pack(const std::byte* from, std::size_t start, std::span<std::byte> to) const;
  void unpack(std::byte* to, std::size_t start, std::span<const std::byte> from) const;

  bool operator==(const Program&) const = default;

 private:
  std::vector<Node> nodes_;
  Count offset_;
  std::size_t runs_;
};

}  // namespace atl::datatype
