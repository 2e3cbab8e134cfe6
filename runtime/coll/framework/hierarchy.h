// Short data among many ranks with cores of their own, where it would take long until each rank
// has looked at what every other one published. Neighbours form groups of kGroup ranks, the heads
// of such groups form groups again, and so on: a tree.
//
// Where nothing is combined the neighbours are those in the machine, so that most rounds stay
// within a cache, then a NUMA node, then a package. Reductions combine neighbouring ranks, which
// commonly are the same: so their bits are the same wherever the ranks are.
#pragma once

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/data.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"
#include "runtime/op/op.h"

namespace atl::coll::shared_memory {

// The tree, as one rank sees it. Each group has a head, which stands for it in the group above.
class Hierarchy {
 public:
  static constexpr int kGroup = 8;  // ranks that commonly share a cache

  // Neighbours by rank, or by place.
  Hierarchy(const Channel& channel, int root, const Places* places = nullptr);

  // This rank is the head of all groups that stand for fewer than so many ranks.
  int stride() const { return stride_; }
  // The head of the smallest group of which this rank is not the head.
  int parent() const { return rank_at(head(self_, stride_ * kGroup)); }
  bool has_parent() const { return self_ != root_; }
  bool has_children() const { return stride_ > 1; }

  // In the group of this rank whose members stand for `stride` ranks each: how many members it
  // has, and member number `i`, in the order of the neighbours.
  int members(int stride) const;
  int member(int stride, int i) const { return rank_at(head(first(stride) + i * stride, stride)); }

  // Calls act(rank) for all whose parent this rank is.
  template <class Act>
  void each_child(Act&& act) const {
    for (int stride = 1; stride < stride_; stride *= kGroup) {
      for (int i = 0; i < members(stride); ++i) {
        if (member(stride, i) != rank_at(self_)) act(member(stride, i));
      }
    }
  }

 private:
  int place_of(int rank) const {
    return places_ == nullptr ? rank : places_->place_of[static_cast<std::size_t>(rank)];
  }
  int rank_at(int place) const {
    return places_ == nullptr ? place : places_->rank_at[static_cast<std::size_t>(place)];
  }
  int first(int stride) const { return self_ - self_ % (stride * kGroup); }
  int head(int place, int stride) const {
    const int first = place - place % stride;
    return root_ - root_ % stride == first ? root_ : first;
  }

  const Places* places_;
  int size_;
  int self_;  // places from here on
  int root_;
  int stride_ = 1;
};

// The reduced values of the ranks for which this one stands: its own at first, then those of
// more and more of its groups.
class PartialResult {
 public:
  PartialResult(Channel& channel, Round round, const Hierarchy& hierarchy, const Data& contribution,
                const op::Reduction& reduction);

  const Data& values() const { return values_; }

  // Combines with those of the other members of a group, which have published them.
  void combine(const Hierarchy& hierarchy, int stride);

 private:
  const std::byte* of(int member) const;

  Channel& channel_;
  Round round_;
  const op::Reduction& reduction_;
  Data values_;
  Scratch scratch_[2];  // used in turn: one may hold the values
  int next_ = 0;
};

// First all ranks publish what they call, for those that call something else; nobody waits for it.
Task publish_call(Operation& operation, Channel& channel, Round round,
                  const CollectiveSignature& signature);

// The values go up the tree and are combined on their way. `result`: null if there are none.
Task combine_up(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
                PartialResult* result, const CollectiveSignature& signature);

// The data goes down the tree from its root, from one head's buffer slot to the next.
Task copy_down(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
               const Data& data, const CollectiveSignature& signature);

}  // namespace atl::coll::shared_memory
