// The compiled form of a datatype: loops around contiguous blocks of bytes, or around lists of
// them. Executed by execute.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datatype/kernels.h"
#include "datatype/problem.h"

namespace atl::datatype {

// A loop: number of iterations, stride in memory, and bytes per iteration in the stream.
struct Dimension {
  Count count;
  Count stride;
  std::size_t bytes;

  bool operator==(const Dimension&) const = default;
};

// A node within another: its offset in memory and its start in the stream.
struct Part {
  Count offset;
  std::size_t start;
  std::uint32_t node;

  bool operator==(const Part&) const = default;
};

struct Node {
  enum class Kind : std::uint8_t {
    run,       // a contiguous block of `bytes` bytes at 0
    blocks,    // contiguous blocks of `block` bytes at `offsets`
    ragged,    // contiguous blocks at `offsets`, of lengths starts[i + 1] - starts[i]
    sequence,  // `parts`
  };

  Kind kind = Kind::run;
  std::vector<Dimension> dimensions;  // around the content, outermost first
  std::size_t bytes = 0;              // of the content, without the dimensions
  std::size_t block = 0;              // for `blocks` and `run`
  std::vector<Count> offsets;
  std::vector<std::size_t> starts;  // for `ragged`: one more than offsets
  std::vector<Part> parts;

  std::size_t total_bytes() const {
    return dimensions.empty() ? bytes
                              : static_cast<std::size_t>(dimensions[0].count) * dimensions[0].bytes;
  }

  // Length and stream position of contiguous block `i` of a list.
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
  // The outermost loop of the first node, whose count is not used, iterates over the elements.
  // `offset` is the offset of their first contiguous block.
  Program(std::vector<Node> nodes, Count offset, std::size_t runs)
      : nodes_(std::move(nodes)), offset_(offset), runs_(runs) {}

  const std::vector<Node>& nodes() const { return nodes_; }
  Count offset() const { return offset_; }
  // Number of contiguous blocks of one element; at most kManyRuns.
  std::size_t contiguous_blocks() const { return runs_; }

  // Bytes of the stream in a band (banded.h): as many elements as share cache lines. 0 where bands
  // gain nothing, because consecutive blocks of the stream share cache lines anyway, and where a
  // band would be too long for the second-level cache.
  std::size_t band() const;

  // As the functions of Datatype.
  void pack(const std::byte* from, std::size_t start, std::span<std::byte> to) const;
  void unpack(std::byte* to, std::size_t start, std::span<const std::byte> from) const;

  bool operator==(const Program&) const = default;

 private:
  std::vector<Node> nodes_;
  Count offset_;
  std::size_t runs_;
};

}  // namespace atl::datatype
