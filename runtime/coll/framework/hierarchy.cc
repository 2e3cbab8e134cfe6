#include "runtime/coll/framework/hierarchy.h"

#include <algorithm>

namespace atl::coll::shared_memory {

Hierarchy::Hierarchy(const Channel& channel, int root, const MachineOrder* order)
    : machine_order_(order), size_(channel.size()) {
  self_ = position_of(channel.rank());
  root_ = position_of(root);
  while (stride_ < size_ && head(self_, stride_ * kGroup) == self_) stride_ *= kGroup;
}

int Hierarchy::members(int stride) const {
  return (std::min(size_ - first(stride), stride * kGroup) + stride - 1) / stride;
}

PartialResult::PartialResult(Channel& channel, Round round, const Hierarchy& hierarchy,
                             const Data& contribution, const op::Reduction& reduction)
    : channel_(channel),
      round_(round),
      reduction_(reduction),
      values_(contribution),
      scratch_{{hierarchy.has_children() ? values_.count : 0, values_.type},
               {hierarchy.stride() > Hierarchy::kGroup ? values_.count : 0, values_.type}} {}

// Combines in the order of the members, from the last one down.
void PartialResult::combine(const Hierarchy& hierarchy, int stride) {
  int i = hierarchy.members(stride) - 1;
  if (i == 0 || values_.count == 0) return;
  auto* to = static_cast<std::byte*>(scratch_[next_].data().address);
  const std::byte* last = of(hierarchy.member(stride, i));
  while (--i >= 0) {
    reduction_.combine(of(hierarchy.member(stride, i)), last, to, values_.count);
    last = to;
  }
  values_.address = to;
  next_ = 1 - next_;
}

const std::byte* PartialResult::of(int member) const {
  return member == channel_.rank() ? static_cast<const std::byte*>(values_.address)
                                   : channel_.data(member, round_, values_.bytes());
}

// Combining up the tree, a head publishes the next round only after its group has published this
// one.
Task publish_call(Operation& operation, Channel& channel, Round round,
                  const CollectiveSignature& signature) {
  auto free_space = channel.free_space(round, 0);
  co_await operation.until(free_space);
  channel.publish_unawaited(round, signature);
}

Task combine_up(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
                PartialResult* result, const CollectiveSignature& signature) {
  const CollectiveSignature later = with_way(signature, Way::later);
  for (int stride = 1; stride < hierarchy.stride(); stride *= Hierarchy::kGroup) {
    for (int i = 0; i < hierarchy.members(stride); ++i) {
      const int member = hierarchy.member(stride, i);
      if (member == channel.rank()) continue;
      auto published = [&](shm::PollMode) { return channel.published(member, round); };
      co_await operation.until(published);
      if (operation.fail(compare(channel, member, round, later))) co_return;
    }
    if (result != nullptr) result->combine(hierarchy, stride);
  }
  if (!hierarchy.has_parent()) co_return;
  const Data values = result != nullptr ? result->values() : nothing();
  auto free_space = channel.free_space(round, values.bytes());
  co_await operation.until(free_space);
  channel.write(round, values, 0, values.bytes());
  channel.publish_unawaited(round, later);
  channel.wake(hierarchy.parent());
}

Task copy_down(Operation& operation, Channel& channel, Round round, const Hierarchy& hierarchy,
               const Data& data, const CollectiveSignature& signature) {
  if (operation.failed()) co_return;
  const CollectiveSignature later = with_way(signature, Way::later);
  const std::size_t bytes = data.bytes();
  if (hierarchy.has_parent()) {
    const int parent = hierarchy.parent();
    auto published = [&](shm::PollMode) { return channel.published(parent, round); };
    co_await operation.until(published);
    if (operation.fail(compare(channel, parent, round, later))) co_return;
    channel.read(parent, round, data, 0, bytes);
  }
  if (!hierarchy.has_children()) co_return;
  auto free_space = channel.free_space(round, bytes);
  co_await operation.until(free_space);
  channel.write(round, data, 0, bytes);
  channel.publish_unawaited(round, later);
  hierarchy.each_child([&](int child) { channel.wake(child); });
}

}  // namespace atl::coll::shared_memory
