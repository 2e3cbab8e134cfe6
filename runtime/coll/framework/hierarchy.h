// Short data among many ranks with cores of their own, where it would take long for each rank to
// read the entries of all others. Neighbours form groups of kGroup ranks, the heads of these groups
// form groups again, and so on: a tree.
//
// Without a reduction, neighbours are ranks close to one another in the machine, so that most
// groups are within a cache, then a NUMA node, then a package. Reductions group consecutive ranks,
// which usually are close too, so that the result has the same bits wherever the ranks are placed.
#pragma once

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/data.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"
#include "runtime/op/op.h"

namespace atl::coll::shared_memory {

// The tree as seen from this rank. Each group has a head, which is its member in the group above.
class Hierarchy {
 public:
  static constexpr int kGroup = 8;  // ranks that commonly share a cache

  // Neighbours are consecutive ranks, or consecutive in `order` if it is not null.
  Hierarchy(const Channel& channel, int root, const MachineOrder* order = nullptr);

  // This rank is the head of all its groups whose members each stand for fewer than this many
  // ranks.
  int stride() const { return stride_; }
  // The head of the smallest group of which this rank is not the head.
  int parent() const { return rank_at(head(self_, stride_ * kGroup)); }
  bool has_parent() const { return self_ != root_; }
  bool has_children() const { return stride_ > 1; }

  // Of the group of this rank whose members stand for `stride` ranks each: the number of members,
  // and member `i` in the order of the neighbours.
  int members(int stride) const;
  int member(int stride, int i) const { return rank_at(head(first(stride) + i * stride, stride)); }

  // Calls act(rank) for all children of this rank.
  template <class Act>
  void each_child(Act&& act) const {
    for (int stride = 1; stride < stride_; stride *= kGroup) {
      for (int i = 0; i < members(stride); ++i) {
        if (member(stride, i) != rank_at(self_)) act(member(stride, i));
      }
    }
  }

 private:
  int position_of(int rank) const {
    return machine_order_ == nullptr ? rank
                                     : machine_order_->position_of[static_cast<std::size_t>(rank)];
  }
  int rank_at(int position) const {
    return machine_order_ == nullptr ? position
                                     : machine_order_->rank_at[static_cast<std::size_t>(position)];
  }
  int first(int stride) const { return self_ - self_ % (stride * kGroup); }
  int head(int place, int stride) const {
    const int first = place - place % stride;
    return root_ - root_ % stride == first ? root_ : first;
  }

  const MachineOrder* machine_order_;
  int size_;
  int self_;  // position of this rank
  int root_;  // position of the root
  int stride_ = 1;
};

// The reduced values of the ranks for which this rank stands: its own at first, then those of its
// groups, level by level.
class PartialResult {
 public:
  PartialResult(Channel& channel, Round round, const Hierarchy& hierarchy, const Data& contribution,
                const op::Reduction& reduction);

  const Data& values() const { return values_; }

  // Combines them with the values that the other members of a group have published.
  void combine(const Hierarchy& hierarchy, int stride);

 private:
  const std::byte* of(int member) const;

  Channel& channel_;
  Round round_;
  const op::Reduction& reduction_;
  Data values_;
  Scratch scratch_[2];  // used in turn: values_ may be in the other
  int next_ = 0;
};

// The first round: all ranks publish their signatures, for members with calls that do not match.
// Nobody waits for this round.
Task publish_call(Operation& operation, Channel& channel, Round round,
                  const CollectiveSignature& signature);

// Combines the values up the tree. `result` is null if the call has none.
Task combine_up(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
                PartialResult* result, const CollectiveSignature& signature);

// Copies the data down the tree: each rank reads its parent's entry or buffer slot and, if it has
// children, publishes the data in its own.
Task copy_down(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
               const Data& data, const CollectiveSignature& signature);

}  // namespace atl::coll::shared_memory
