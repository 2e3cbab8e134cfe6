#include "datatype/shape.h"

#include <algorithm>
#include <utility>

namespace atl::datatype {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

std::uint64_t hash_of(Count count, Count stride, const Sequence& body) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(stride));
  for (const Item& item : body) {
    hash = mix(mix(hash, static_cast<std::uint64_t>(item.offset)), item.shape.code());
  }
  return hash;
}

}  // namespace

Shape Shapes::intern(Count count, Count stride, Sequence body) {
  const std::uint64_t hash = hash_of(count, stride, body);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const Loop& loop = loops_[known->second];
    if (loop.count == count && loop.stride == stride && loop.body == body) {
      return Shape::loop(known->second);
    }
  }
  const Wide total = Wide{count} * static_cast<Count>(runs(body));
  const std::size_t all = static_cast<std::size_t>(std::min<Wide>(total, kManyRuns));
  by_hash_.emplace(hash, loops_.size());
  loops_.push_back({count, stride, std::move(body), all});
  return Shape::loop(loops_.size() - 1);
}

std::size_t Shapes::runs(const Sequence& sequence) const {
  std::size_t sum = 0;
  for (const Item& item : sequence) sum += item.shape.is_run() ? 1 : loop(item.shape).runs;
  return std::min(sum, kManyRuns);
}

Item Shapes::first_run(Item item) const {
  while (!item.shape.is_run()) {
    const Item& first = loop(item.shape).body.front();
    item = {item.offset + first.offset, first.shape};
  }
  return item;
}

Item Shapes::last_run(Item item) const {
  while (!item.shape.is_run()) {
    const Loop& turns = loop(item.shape);
    const Item& last = turns.body.back();
    item = {item.offset + (turns.count - 1) * turns.stride + last.offset, last.shape};
  }
  return item;
}

}  // namespace atl::datatype
