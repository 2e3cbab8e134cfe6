// Visits the contiguous blocks of memory that a part of the stream covers, for system calls that
// take lists of them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "datatype/program.h"

namespace atl::datatype {

// Calls visit(offset, bytes) for each block of bytes [start, start + length) of the stream, in the
// order of the stream; `offset` is from the address of the elements.
template <class Visit>
class BlockWalk {
 public:
  BlockWalk(const Program& program, Visit visit)
      : nodes_(program.nodes().data()), offset_(program.offset()), visit_(visit) {}

  void operator()(std::size_t start, std::size_t length) {
    if (length != 0) loops(nodes_[0], 0, offset_, start, length);
  }

 private:
  // The loops of `node` from `level` inwards.
  void loops(const Node& node, std::size_t level, Count at, std::size_t start, std::size_t length) {
    if (level == node.dimensions.size()) return content(node, at, start, length);
    const Dimension& dimension = node.dimensions[level];
    at += static_cast<Count>(start / dimension.bytes) * dimension.stride;
    start %= dimension.bytes;
    for (; length != 0; at += dimension.stride, start = 0) {
      const std::size_t part = std::min(dimension.bytes - start, length);
      loops(node, level + 1, at, start, part);
      length -= part;
    }
  }

  void content(const Node& node, Count at, std::size_t start, std::size_t length) {
    switch (node.kind) {
      case Node::Kind::run: return visit_(at + static_cast<Count>(start), length);
      case Node::Kind::sequence: return sequence(node, at, start, length);
      case Node::Kind::blocks: return list(node, start / node.block, at, start, length);
      case Node::Kind::ragged: {
        const auto after = std::ranges::upper_bound(node.starts, start);
        return list(node, static_cast<std::size_t>(after - node.starts.begin()) - 1, at, start,
                    length);
      }
    }
  }

  // A list of blocks from block `i` on, which contains byte `start`.
  void list(const Node& node, std::size_t i, Count at, std::size_t start, std::size_t length) {
    start -= node.run_start(i);
    for (; length != 0; ++i, start = 0) {
      const std::size_t part = std::min(node.run_bytes(i) - start, length);
      visit_(at + node.offsets[i] + static_cast<Count>(start), part);
      length -= part;
    }
  }

  void sequence(const Node& node, Count at, std::size_t start, std::size_t length) {
    auto part = std::ranges::upper_bound(node.parts, start, {}, &Part::start) - 1;
    start -= part->start;
    for (; length != 0; ++part, start = 0) {
      const Node& inner = nodes_[part->node];
      const std::size_t bytes = std::min(inner.total_bytes() - start, length);
      loops(inner, 0, at + part->offset, start, bytes);
      length -= bytes;
    }
  }

  const Node* nodes_;
  Count offset_;
  Visit visit_;
};

template <class Visit>
void for_each_block(const Program& program, std::size_t start, std::size_t length, Visit visit) {
  BlockWalk<Visit>(program, visit)(start, length);
}

}  // namespace atl::datatype
