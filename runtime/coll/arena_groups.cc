// Short data among many ranks with cores of their own, where it would take long until
// each has looked at what every other one gives: neighbours form groups of kGroup, so
// do the groups, and so on. Where nothing is combined they are neighbours in the machine,
// so that most steps stay within a cache, then a NUMA node, then a package. Reductions
// combine neighbouring ranks, which commonly are the same: their bits are the same
// wherever the ranks are.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"

namespace atl::coll::arena {
namespace {

constexpr int kGroup = 8;  // ranks that commonly share a cache

// A tree: each group has a head, which stands for it in the group of groups.
class Groups {
 public:
  // Neighbours by their ranks, or by their places.
  Groups(const Channel& channel, int root, const Places* places = nullptr)
      : places_(places), size_(channel.size()) {
    self_ = place_of(channel.rank());
    root_ = place_of(root);
    while (stride_ < size_ && head(self_, stride_ * kGroup) == self_) stride_ *= kGroup;
  }

  // This rank is the head of groups of less than so many ranks.
  int stride() const { return stride_; }
  // The head of the smallest group of which this rank is not.
  int parent() const { return rank_at(head(self_, stride_ * kGroup)); }
  bool has_parent() const { return self_ != root_; }
  bool has_children() const { return stride_ > 1; }

  // In the group of this rank whose members stand for `stride` ranks each: how many
  // members it has, and the one at place `i`, in their order.
  int members(int stride) const {
    return (std::min(size_ - first(stride), stride * kGroup) + stride - 1) / stride;
  }
  int member(int stride, int i) const { return rank_at(head(first(stride) + i * stride, stride)); }

  // All whose parent this rank is.
  template <class Do>
  void each_child(Do&& act) const {
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

// The values of the ranks that this one stands for: its own at first, then those of
// more and more of its groups.
class Gathered {
 public:
  Gathered(Channel& channel, Step step, const Groups& groups, const Reducing& with)
      : channel_(channel),
        step_(step),
        with_(with),
        values_(with.contribution()),
        scratch_{{groups.has_children() ? values_.count : 0, values_.type},
                 {groups.stride() > kGroup ? values_.count : 0, values_.type}} {}

  const Data& values() const { return values_; }

  // With those of the other members of a group, in their order, the last ones first.
  void combine(const Groups& groups, int stride) {
    int i = groups.members(stride) - 1;
    if (i == 0 || values_.count == 0) return;
    auto* to = static_cast<std::byte*>(scratch_[next_].data().address);
    const std::byte* last = of(groups.member(stride, i));
    while (--i >= 0) {
      with_.reduction().combine(of(groups.member(stride, i)), last, to, values_.count);
      last = to;
    }
    values_.address = to;
    next_ = 1 - next_;
  }

 private:
  const std::byte* of(int member) const {
    return member == channel_.rank() ? static_cast<const std::byte*>(values_.address)
                                     : channel_.data(member, step_, values_.bytes());
  }

  Channel& channel_;
  Step step_;
  const Reducing& with_;
  Data values_;
  Scratch scratch_[2];  // taken in turns: one may have the values
  int next_ = 0;
};

// What comes down the tree from its root, from cell to cell of the heads.
Task hand_down(Operation& operation, Channel& channel, Step step, const Groups& groups,
               const Data& data, const Called& called) {
  if (operation.failed()) co_return;
  const Called later = another_way(called, Way::later);
  const std::size_t bytes = data.bytes();
  if (groups.has_parent()) {
    const int parent = groups.parent();
    auto posted = [&](shm::Look) { return channel.posted(parent, step); };
    co_await operation.until(posted);
    if (operation.fail(compare(channel, parent, step, later))) co_return;
    channel.take(parent, step, data, 0, bytes);
  }
  if (!groups.has_children()) co_return;
  auto room = channel.room(step, bytes);
  co_await operation.until(room);
  channel.put(step, data, 0, bytes);
  channel.set_called(step, later);
  channel.show(step);
  groups.each_child([&](int child) { channel.wake(child); });
}

// The values go up the tree, combined on their way. `gathered`: null if there are none.
Task hand_up(Operation& operation, Channel& channel, Step step, const Groups& groups,
             Gathered* gathered, const Called& called) {
  const Called later = another_way(called, Way::later);
  for (int stride = 1; stride < groups.stride(); stride *= kGroup) {
    for (int i = 0; i < groups.members(stride); ++i) {
      const int member = groups.member(stride, i);
      if (member == channel.rank()) continue;
      auto posted = [&](shm::Look) { return channel.posted(member, step); };
      co_await operation.until(posted);
      if (operation.fail(compare(channel, member, step, later))) co_return;
    }
    if (gathered != nullptr) gathered->combine(groups, stride);
  }
  if (!groups.has_parent()) co_return;
  const Data values = gathered != nullptr ? gathered->values() : nothing();
  auto room = channel.room(step, values.bytes());
  co_await operation.until(room);
  channel.put(step, values, 0, values.bytes());
  channel.set_called(step, later);
  channel.show(step);
  channel.wake(groups.parent());
}

// First all show what they call, for those who call something else; nobody waits for it.
// A head has nothing else to post until its group has come.
Task begin_groups(Operation& operation, Channel& channel, Step shown, const Called& called) {
  auto room = channel.room(shown, 0);
  co_await operation.until(room);
  channel.set_called(shown, called);
  channel.show(shown);
}

}  // namespace

Task barrier_groups(const Barrier& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step shown = turn.take_steps(3);
  const Groups groups(channel, 0, &channel.places());
  const Called called = channel.remember(call_of(call));
  co_await begin_groups(operation, channel, shown, called);
  co_await hand_up(operation, channel, shown + 1, groups, nullptr, called);
  co_await hand_down(operation, channel, shown + 2, groups, nothing(), called);
  channel.all_left(shown);
}

Task bcast_groups(const Bcast& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step shown = turn.take_steps(2);
  const Groups groups(channel, call.root, &channel.places());
  const Called called = channel.remember(call_of(call));
  co_await begin_groups(operation, channel, shown, called);
  co_await hand_down(operation, channel, shown + 1, groups, call.data, called);
}

Task reduce_groups(const Reduce& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step shown = turn.take_steps(2);
  const Groups groups(channel, call.root);
  const Called called = channel.remember(call_of(call));
  Gathered gathered(channel, shown + 1, groups, call.with);
  co_await begin_groups(operation, channel, shown, called);
  co_await hand_up(operation, channel, shown + 1, groups, &gathered, called);
  if (!groups.has_parent()) copy(gathered.values(), call.with.result());
}

Task allreduce_groups(const Allreduce& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step shown = turn.take_steps(3);
  const Groups groups(channel, 0);
  const Called called = channel.remember(call_of(call));
  Gathered gathered(channel, shown + 1, groups, call.with);
  co_await begin_groups(operation, channel, shown, called);
  co_await hand_up(operation, channel, shown + 1, groups, &gathered, called);
  if (!groups.has_parent()) copy(gathered.values(), call.with.result());
  const Groups near(channel, 0, &channel.places());
  co_await hand_down(operation, channel, shown + 2, near, call.with.result(), called);
  channel.all_left(shown);
}

}  // namespace atl::coll::arena
