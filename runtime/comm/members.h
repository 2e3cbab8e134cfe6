// An ordered set of processes: what a group and a communicator consist of.
//
// A set that is a range of ranks in the job, such as all, every second, or one
// alone, is three numbers. Any other is a list, and sets that are alike share
// one list: a thousand communicators of the same members cost one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"

namespace atl {

class Members {
 public:
  static constexpr int kNobody = -1;

  Members() = default;  // nobody

  // first, first + stride, ...; `stride` is not 0.
  static Members range(std::uint32_t first, std::int32_t stride, int size) {
    Members members;
    members.first_ = first;
    members.stride_ = stride;
    members.size_ = size;
    return members;
  }

  // Rank i is world[i], a rank in the job; all of them are different.
  static Members list(const std::vector<std::uint32_t>& world);

  int size() const { return size_; }

  // The rank in the job of the member with that rank.
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
  friend bool operator==(const Members& one, const Members& other);

  // The same processes, in whatever order.
  bool same_set(const Members& other) const;

  // Equal for equal sets, and hardly ever for others.
  std::uint64_t hash() const;

  // Lists that are kept in memory; for tests.
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
  explicit RankFinder(const Members& members);

  int find(std::uint32_t world) const {
    if (members_.is_range()) return members_.find(world);
    return world < ranks_.size() ? ranks_[world] : Members::kNobody;
  }

 private:
  const Members& members_;
  std::vector<int> ranks_;  // by rank in the job; of a list only
};

}  // namespace atl
