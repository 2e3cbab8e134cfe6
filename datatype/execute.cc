// Executes a program for a part of the stream, which may start and end at any byte of any node.
// Partial iterations at the start and the end recurse down to the single contiguous block; whole
// iterations of loops go to the kernels.
#include <algorithm>
#include <cstdlib>

#include "datatype/copy_block.h"
#include "datatype/program.h"

namespace atl::datatype {
namespace {

// A plane of blocks is copied along its second dimension when the first has fewer iterations.
constexpr std::size_t kShortLine = 8;
// A loop of at least kFewTurns iterations around a list of at most kFewRuns contiguous blocks is
// executed block by block: each block over many iterations.
constexpr std::size_t kFewRuns = 16;
// So many iterations at a time that they touch kTouchedAtOnce bytes on both sides together, which
// stay in the first-level cache, but at least kLeastTurnsAtOnce, so that the overhead of short
// loops does not matter.
constexpr std::size_t kTouchedAtOnce = 20 * 1024;
constexpr std::size_t kLeastTurnsAtOnce = 64;
constexpr std::size_t kFewTurns = 4;

template <Direction kDirection>
class Execution {
 public:
  Execution(const Program& program, std::byte* stream)
      : nodes_(program.nodes().data()), stream_(stream) {}

  // Copies bytes [start, start + length) of the loops of `node` from `level` inwards.
  void loops(const Node& node, std::size_t level, std::byte* memory, std::size_t start,
             std::size_t length) {
    if (level == node.dimensions.size()) return content(node, memory, start, length);
    const Dimension& dimension = node.dimensions[level];
    if (start >= dimension.bytes) {
      memory += static_cast<Count>(start / dimension.bytes) * dimension.stride;
      start %= dimension.bytes;
    }
    if (start != 0) {
      const std::size_t part = std::min(dimension.bytes - start, length);
      loops(node, level + 1, memory, start, part);
      memory += dimension.stride;
      length -= part;
    }
    if (length >= dimension.bytes) {
      const std::size_t turns = length / dimension.bytes;
      whole(node, level, turns, memory);
      memory += static_cast<Count>(turns) * dimension.stride;
      length -= turns * dimension.bytes;
    }
    if (length != 0) loops(node, level + 1, memory, 0, length);
  }

 private:
  // Copies `turns` whole iterations of a loop.
  void whole(const Node& node, std::size_t level, std::size_t turns, std::byte* memory) {
    const Dimension& dimension = node.dimensions[level];
    if (node.kind == Node::Kind::run) return grid(node, level, turns, memory);
    const bool innermost = level + 1 == node.dimensions.size();
    if (innermost && node.kind != Node::Kind::sequence && turns >= kFewTurns &&
        node.offsets.size() <= kFewRuns) {
      return run_by_run(node, dimension, turns, memory);
    }
    for (std::size_t i = 0; i < turns; ++i, memory += dimension.stride) {
      if (innermost) {
        content(node, memory, 0, node.bytes);
      } else {
        whole(node, level + 1, static_cast<std::size_t>(node.dimensions[level + 1].count), memory);
      }
    }
  }

  // Copies bytes [start, start + length) of the content of a node.
  void content(const Node& node, std::byte* memory, std::size_t start, std::size_t length) {
    switch (node.kind) {
      case Node::Kind::run: return move(memory + start, length);
      case Node::Kind::blocks: return blocks(node, memory, start, length);
      case Node::Kind::ragged: return ragged(node, memory, start, length);
      case Node::Kind::sequence: return sequence(node, memory, start, length);
    }
  }

  void blocks(const Node& node, std::byte* memory, std::size_t start, std::size_t length) {
    const Count* offset = node.offsets.data() + start / node.block;
    start %= node.block;
    if (start != 0) {
      const std::size_t part = std::min(node.block - start, length);
      move(memory + *offset++ + start, part);
      length -= part;
    }
    const std::size_t count = length / node.block;
    list_kernel(kDirection, node.block)(memory, stream_, count, offset, node.block);
    stream_ += count * node.block;
    length -= count * node.block;
    if (length != 0) move(memory + offset[count], length);
  }

  void ragged(const Node& node, std::byte* memory, std::size_t start, std::size_t length) {
    std::size_t i = 0;
    if (start != 0) {
      i = static_cast<std::size_t>(std::ranges::upper_bound(node.starts, start) -
                                   node.starts.begin()) -
          1;
    }
    const std::size_t* starts = node.starts.data();
    const Count* offsets = node.offsets.data();
    const std::size_t end = start + length;
    if (start != starts[i]) {
      const std::size_t part = std::min(starts[i + 1], end) - start;
      move(memory + offsets[i] + (start - starts[i]), part);
      ++i;
    }
    for (; i < node.offsets.size() && starts[i + 1] <= end; ++i) {
      const std::size_t bytes = starts[i + 1] - starts[i];
      move(memory + offsets[i], bytes);
    }
    if (i < node.offsets.size() && starts[i] < end) move(memory + offsets[i], end - starts[i]);
  }

  void sequence(const Node& node, std::byte* memory, std::size_t start, std::size_t length) {
    auto part = node.parts.begin();
    if (start != 0) part = std::ranges::upper_bound(node.parts, start, {}, &Part::start) - 1;
    start -= part->start;
    for (; length != 0; ++part, start = 0) {
      const Node& inner = nodes_[part->node];
      const std::size_t bytes = std::min(inner.total_bytes() - start, length);
      loops(inner, 0, memory + part->offset, start, bytes);
      length -= bytes;
    }
  }

  // Many iterations around a short list: copies each contiguous block for all iterations. The
  // longest block is first, because it loads most of the cache lines that the others need.
  void run_by_run(const Node& node, const Dimension& dimension, std::size_t turns,
                  std::byte* memory) {
    const std::size_t longest = longest_run(node);
    const auto stride = static_cast<Count>(dimension.bytes);
    const std::size_t at_once = turns_at_once(dimension);
    while (turns != 0) {
      const std::size_t now = std::min(turns, at_once);
      const auto line = [&](std::size_t i) {
        const std::size_t bytes = node.run_bytes(i);
        line_kernel(kDirection, bytes)(memory + node.offsets[i], stream_ + node.run_start(i), now,
                                       dimension.stride, stride, bytes);
      };
      line(longest);
      for (std::size_t i = 0; i < node.offsets.size(); ++i) {
        if (i != longest) line(i);
      }
      stream_ += now * dimension.bytes;
      memory += static_cast<Count>(now) * dimension.stride;
      turns -= now;
    }
  }

  static std::size_t turns_at_once(const Dimension& dimension) {
    const std::size_t touched =
        dimension.bytes + static_cast<std::size_t>(std::abs(dimension.stride));
    return std::max(kLeastTurnsAtOnce, kTouchedAtOnce / touched);
  }

  static std::size_t longest_run(const Node& node) {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < node.offsets.size(); ++i) {
      if (node.run_bytes(i) > node.run_bytes(longest)) longest = i;
    }
    return longest;
  }

  static Turns turns_of(const Dimension& dimension, std::size_t turns) {
    return {turns, dimension.stride, static_cast<Count>(dimension.bytes)};
  }

  // Copies whole iterations of loops around one contiguous block.
  void grid(const Node& node, std::size_t level, std::size_t turns, std::byte* memory) {
    const std::size_t depth = node.dimensions.size() - level;
    const Turns outer = turns_of(node.dimensions[level], turns);
    if (depth == 1) {
      line_kernel(kDirection, node.block)(memory, stream_, outer.count, outer.memory, outer.stream,
                                          node.block);
    } else {
      grid_within(node, level, outer, memory, stream_, level);
    }
    stream_ += turns * node.dimensions[level].bytes;
  }

  // The loop with the smallest stride in memory, the innermost excepted.
  static std::size_t closest(const Node& node, std::size_t level) {
    std::size_t found = node.dimensions.size() - 2;
    for (std::size_t i = found; i-- > level;) {
      if (std::abs(node.dimensions[i].stride) < std::abs(node.dimensions[found].stride)) found = i;
    }
    return found;
  }

  // Loops over all dimensions from `at` inwards except the two of the plane.
  void grid_within(const Node& node, std::size_t level, Turns outer, std::byte* memory,
                   std::byte* stream, std::size_t at) {
    const std::size_t inner = node.dimensions.size() - 1;
    const std::size_t second = closest(node, level);
    const auto turns = [&](std::size_t i) {
      return i == level
                 ? outer
                 : turns_of(node.dimensions[i], static_cast<std::size_t>(node.dimensions[i].count));
    };
    if (at == second) ++at;
    if (at >= inner) return plane(turns(inner), turns(second), memory, stream, node.block);
    const Turns loop = turns(at);
    for (std::size_t i = 0; i < loop.count; ++i) {
      grid_within(node, level, outer, memory, stream, at + 1);
      memory += loop.memory;
      stream += loop.stream;
    }
  }

  static void plane(Turns inner, Turns outer, std::byte* memory, std::byte* stream,
                    std::size_t bytes) {
    if (bytes <= kTiledBytes && std::abs(outer.memory) < std::abs(inner.memory)) {
      return tile_kernel(kDirection, bytes)(memory, stream, inner, outer);
    }
    if (inner.count < kShortLine && outer.count > inner.count) std::swap(inner, outer);
    const LineKernel line = line_kernel(kDirection, bytes);
    for (std::size_t i = 0; i < outer.count; ++i) {
      line(memory, stream, inner.count, inner.memory, inner.stream, bytes);
      memory += outer.memory;
      stream += outer.stream;
    }
  }

  void move(std::byte* memory, std::size_t bytes) {
    move_few<kDirection>(memory, stream_, bytes);
    stream_ += bytes;
  }

  const Node* nodes_;
  std::byte* stream_;
};

}  // namespace

void Program::pack(const std::byte* from, std::size_t start, std::span<std::byte> to) const {
  // pack() does not write to memory, so the const_cast is safe.
  auto* memory = const_cast<std::byte*>(from) + offset_;
  Execution<Direction::pack>(*this, to.data()).loops(nodes_[0], 0, memory, start, to.size());
}

void Program::unpack(std::byte* to, std::size_t start, std::span<const std::byte> from) const {
  auto* stream = const_cast<std::byte*>(from.data());
  Execution<Direction::unpack>(*this, stream).loops(nodes_[0], 0, to + offset_, start, from.size());
}

}  // namespace atl::datatype
