#include "runtime/comm/rank_map.h"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace atl {
namespace {

// The lists in use, by hash.
struct SharedList {
  std::weak_ptr<const std::uint32_t[]> list;
  std::size_t size;
};
using Lists = std::unordered_multimap<std::uint64_t, SharedList>;

Lists& shared_lists() {
  static Lists lists;
  return lists;
}

std::uint64_t hash_of(std::span<const std::uint32_t> world) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a, a rank at a time
  for (const std::uint32_t rank : world) hash = (hash ^ rank) * 0x100000001b3ull;
  return hash;
}

// Removes unused lists from the table each time its size has doubled.
void clean(Lists& lists) {
  static std::size_t limit = 64;
  if (lists.size() < limit) return;
  std::erase_if(lists, [](const auto& entry) { return entry.second.list.expired(); });
  limit = std::max<std::size_t>(64, 2 * lists.size());
}

std::shared_ptr<const std::uint32_t[]> share(const std::vector<std::uint32_t>& world) {
  Lists& lists = shared_lists();
  const std::uint64_t hash = hash_of(world);
  const auto [begin, end] = lists.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    auto list = entry->second.list.lock();
    if (list != nullptr && std::ranges::equal(std::span(list.get(), entry->second.size), world)) {
      return list;
    }
  }
  clean(lists);
  std::shared_ptr<std::uint32_t[]> made(new std::uint32_t[world.size()]);
  std::ranges::copy(world, made.get());
  lists.emplace(hash, SharedList{made, world.size()});
  return made;
}

}  // namespace

RankMap RankMap::list(const std::vector<std::uint32_t>& world) {
  const int size = static_cast<int>(world.size());
  if (size == 0) return {};
  const std::int32_t stride =
      size == 1 ? 1 : static_cast<std::int32_t>(world[1]) - static_cast<std::int32_t>(world[0]);
  RankMap members = range(world[0], stride, size);
  const auto in_step = [&](int rank) {
    return members.world_rank(rank) == world[static_cast<std::size_t>(rank)];
  };
  for (int rank = 2; rank < size; ++rank) {
    if (in_step(rank)) continue;
    members.list_ = share(world);
    break;
  }
  return members;
}

int RankMap::find(std::uint32_t world) const {
  if (is_range()) {
    const std::int64_t distance = std::int64_t{world} - first_;
    const std::int64_t rank = distance / stride_;
    return distance % stride_ == 0 && rank >= 0 && rank < size_ ? static_cast<int>(rank) : kNobody;
  }
  const std::uint32_t* end = list_.get() + size_;
  const std::uint32_t* found = std::find(list_.get(), end, world);
  return found == end ? kNobody : static_cast<int>(found - list_.get());
}

bool operator==(const RankMap& one, const RankMap& other) {
  if (one.size_ != other.size_ || one.is_range() != other.is_range()) return false;
  if (!one.is_range()) return one.list_ == other.list_;  // equal lists are shared
  return one.size_ == 0 ||
         (one.first_ == other.first_ && (one.size_ == 1 || one.stride_ == other.stride_));
}

std::uint64_t RankMap::hash() const {
  if (!is_range()) return hash_of({list_.get(), static_cast<std::size_t>(size_)});
  const std::uint32_t numbers[] = {first_, size_ > 1 ? static_cast<std::uint32_t>(stride_) : 1,
                                   static_cast<std::uint32_t>(size_)};
  return size_ == 0 ? 0 : hash_of(numbers);
}

bool RankMap::same_set(const RankMap& other) const {
  if (size_ != other.size_) return false;
  const RankFinder finder(other);
  for (int rank = 0; rank < size_; ++rank) {
    if (finder.find(world_rank(rank)) == kNobody) return false;
  }
  return true;
}

std::size_t RankMap::lists() {
  return static_cast<std::size_t>(std::ranges::count_if(
      shared_lists(), [](const auto& entry) { return !entry.second.list.expired(); }));
}

RankFinder::RankFinder(const RankMap& members) : members_(members) {
  if (members.is_range()) return;
  for (int rank = 0; rank < members.size(); ++rank) {
    const std::uint32_t world = members.world_rank(rank);
    if (world >= ranks_.size()) ranks_.resize(world + 1, RankMap::kNobody);
    ranks_[world] = rank;
  }
}

}  // namespace atl
