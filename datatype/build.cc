#include "datatype/build.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace atl::datatype {
namespace {

using Items = std::span<const Item>;

bool is_run(const Item& item) { return item.shape.is_run(); }

// Converts shapes into nodes. Equal shapes share a node, so a sequence that contains the same loop
// at many places costs one Part for each.
class Builder {
 public:
  explicit Builder(const Shapes& shapes) : shapes_(shapes) {}

  std::vector<Node> nodes(const Sequence& sequence, Count extent) {
    nodes_.emplace_back();
    Node root = node(sequence, {{0, extent, 0}}, sequence.front().offset);
    join_elements(root);
    nodes_[0] = std::move(root);
    return std::move(nodes_);
  }

 private:
  // A node with the loops `dimensions` around `items`; offsets are relative to `origin`.
  Node node(Items items, std::vector<Dimension> dimensions, Count origin) {
    while (items.size() == 1 && !is_run(items[0])) {
      const Loop& loop = shapes_.loop(items[0].shape);
      if (loop.count > 1) dimensions.push_back({loop.count, loop.stride, 0});
      items = loop.body;
      origin = 0;
    }
    Node made;
    made.dimensions = std::move(dimensions);
    fill(made, items, origin);
    std::size_t bytes = made.bytes;
    for (auto dimension = made.dimensions.rbegin(); dimension != made.dimensions.rend();
         ++dimension) {
      dimension->bytes = bytes;
      bytes *= static_cast<std::size_t>(dimension->count);
    }
    return made;
  }

  void fill(Node& made, Items items, Count origin) {
    if (!std::ranges::all_of(items, is_run)) return fill_sequence(made, items, origin);
    const Shape shape = items[0].shape;
    made.block = shape.bytes();
    made.bytes = made.block * items.size();
    if (items.size() == 1) return;
    made.kind = Node::Kind::blocks;
    made.offsets.reserve(items.size());
    for (const Item& item : items) made.offsets.push_back(item.offset - origin);
    if (std::ranges::all_of(items, [&](const Item& item) { return item.shape == shape; })) return;
    made.kind = Node::Kind::ragged;
    made.block = 0;
    made.bytes = 0;
    made.starts.reserve(items.size() + 1);
    for (const Item& item : items) {
      made.starts.push_back(made.bytes);
      made.bytes += item.shape.bytes();
    }
    made.starts.push_back(made.bytes);
  }

  void fill_sequence(Node& made, Items items, Count origin) {
    made.kind = Node::Kind::sequence;
    while (!items.empty()) {
      const auto runs =
          static_cast<std::size_t>(std::ranges::find_if_not(items, is_run) - items.begin());
      const Items next = items.first(std::max<std::size_t>(runs, 1));
      items = items.subspan(next.size());
      const std::uint32_t index = place(next);
      made.parts.push_back({next[0].offset - origin, made.bytes, index});
      made.bytes += nodes_[index].total_bytes();
    }
  }

  // Index of the node of one item, or of a list of contiguous blocks; added if it is new.
  std::uint32_t place(Items items) {
    if (items.size() > 1) return add(node(items, {}, items[0].offset));
    const std::uint64_t code = items[0].shape.code();
    if (const auto known = known_.find(code); known != known_.end()) return known->second;
    const std::uint32_t index = add(node(items, {}, items[0].offset));
    known_.emplace(code, index);
    return index;
  }

  std::uint32_t add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  // If consecutive elements continue the stride of their outermost loop, both become one loop.
  static void join_elements(Node& root) {
    std::vector<Dimension>& dimensions = root.dimensions;
    while (dimensions.size() > 1 &&
           Wide{dimensions[1].count} * dimensions[1].stride == dimensions[0].stride) {
      dimensions.erase(dimensions.begin());
      dimensions[0].count = 0;
    }
  }

  const Shapes& shapes_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

}  // namespace

std::shared_ptr<const Program> build(const Sequence& sequence, const Shapes& shapes, Count extent) {
  if (sequence.empty()) return std::make_shared<Program>(std::vector<Node>(1), 0, 0);
  return std::make_shared<Program>(Builder(shapes).nodes(sequence, extent), sequence.front().offset,
                                   shapes.runs(sequence));
}

}  // namespace atl::datatype
