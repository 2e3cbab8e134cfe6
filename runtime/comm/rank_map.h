// An ordered set of processes: the members of a group or a communicator.
//
// A set that is a range of ranks in the job, such as all, every second, or a single one, is three
// numbers. Any other is a list, and equal sets share one list: a thousand communicators of the
// same members cost one list.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"

namespace atl {

class RankMap {
 public:
  static constexpr int kNobody = -1;

  RankMap() = default;  // empty

  // first, first + stride, ...; `stride` is not 0.
  static RankMap range(std::uint32_t first, std::int32_t stride, int size) {
    RankMap members;
    members.first_ = first;
    members.stride_ = stride;
    members.size_ = size;
    return members;
  }

  // Rank i is world[i], a rank in the job; all are different.
  static RankMap list(const std::vector<std::uint32_t>& world);

  int size() const { return size_; }

  // The rank in the job of the member with rank `rank`.
  std::uint32_t world_rank(int rank) const {
    ATL_DCHECK(rank >= 0 && rank < size_);
    if (__builtin_expect(list_ == nullptr, 1)) {
      return first_ + static_cast<std::uint32_t>(stride_ * rank);
    }
    return list_[rank];
  }

  // The rank of a process of the job, or kNobody.
  int find(std::uint32_t world) const;

  bool is_range() const { return list_ == nullptr; }

  // The same processes in the same order.
  friend bool operator==(const RankMap& one, const RankMap& other);

  // The same processes, in whatever order.
  bool same_set(const RankMap& other) const;

  // Equal for equal sets, rarely for different ones.
  std::uint64_t hash() const;

  // Number of lists in memory; for tests.
  static std::size_t lists();

 private:
  std::uint32_t first_ = 0;
  std::int32_t stride_ = 1;
  int size_ = 0;
  std::shared_ptr<const std::uint32_t[]> list_;  // null: a range
};

// Finds the ranks of many processes in one set.
class RankFinder {
 public:
  explicit RankFinder(const RankMap& members);

  int find(std::uint32_t world) const {
    if (members_.is_range()) return members_.find(world);
    return world < ranks_.size() ? ranks_[world] : RankMap::kNobody;
  }

 private:
  const RankMap& members_;
  std::vector<int> ranks_;  // by rank in the job; of a list only
};

}  // namespace atl
