#include "runtime/coll/framework/partwise_reduction.h"

#include <algorithm>

#include "runtime/coll/framework/fold.h"
#include "runtime/coll/framework/pipeline.h"

namespace atl::coll::shared_memory {
namespace {

// Divides the elements of a slot among the ranks for reduction, in whole cache lines, so that no
// two ranks write to one line.
class Parts {
 public:
  Parts(std::size_t extent, int ranks)
      : unit_(std::max<std::size_t>(shm::kCacheLine / extent, 1)),
        ranks_(static_cast<std::size_t>(ranks)) {}

  // First element of the part of `rank` in a slot with `count` elements. The part ends at the start
  // of the next rank's.
  std::size_t start(int rank, std::size_t count) const {
    const std::size_t units = (count + unit_ - 1) / unit_;
    return std::min(units * static_cast<std::size_t>(rank) / ranks_ * unit_, count);
  }

 private:
  std::size_t unit_;
  std::size_t ranks_;
};

// Two rounds per slot: in the first each rank publishes its values of the other ranks' parts, in
// the second the part that it has reduced. Ranks publish the values of the next slot before they
// read the reduced parts of this one.
class PartwiseReduction {
 public:
  PartwiseReduction(Channel& channel, const ReductionArguments& arguments, int root)
      : channel_(channel),
        arguments_(arguments),
        own_(arguments.contribution()),
        extent_(own_.type->size()),
        per_slot_(channel.slot_bytes() / extent_),
        parts_(extent_, channel.size()),
        gets_result_(root == kAllGetResult || root == channel.rank()) {}

  std::size_t slots() const { return rounds_for(own_.count, per_slot_); }
  std::size_t bytes(std::size_t k) const { return count(k) * extent_; }
  bool gets_result() const { return gets_result_; }

  void write(Round round, std::size_t k) {
    std::byte* place = channel_.place(round, bytes(k), own_values() + start(k));
    const Part mine = part(channel_.rank(), k);
    pack(own_, start(k), {place, mine.start});
    const std::size_t end = mine.start + mine.bytes;
    pack(own_, start(k) + end, {place + end, bytes(k) - end});
  }

  std::size_t reduced_bytes(std::size_t k) const { return part(channel_.rank(), k).bytes; }
  void reduce(Round written, Round reduced, std::size_t k) {
    const Part mine = part(channel_.rank(), k);
    const Contributions values = {.round = written,
                                  .bytes = bytes(k),
                                  .start = mine.start,
                                  .count = mine.bytes / extent_,
                                  .own = own_values() + start(k) + mine.start};
    fold(channel_, values, channel_.size() - 1, arguments_,
         channel_.place(reduced, mine.bytes, arguments_.recvbuf));
  }

  void read(Round reduced, int rank, std::size_t k) {
    const Part part = this->part(rank, k);
    channel_.read(rank, reduced, arguments_.result(), start(k) + part.start, part.bytes);
  }

 private:
  // In bytes, within a slot.
  struct Part {
    std::size_t start;
    std::size_t bytes;
  };

  const std::byte* own_values() const { return static_cast<const std::byte*>(own_.address); }
  std::size_t start(std::size_t k) const { return k * per_slot_ * extent_; }
  std::size_t count(std::size_t k) const { return std::min(per_slot_, own_.count - k * per_slot_); }
  Part part(int rank, std::size_t k) const {
    const std::size_t start = parts_.start(rank, count(k));
    return {start * extent_, (parts_.start(rank + 1, count(k)) - start) * extent_};
  }

  Channel& channel_;
  const ReductionArguments& arguments_;
  Data own_;
  std::size_t extent_;
  std::size_t per_slot_;  // elements
  Parts parts_;
  bool gets_result_;
};

}  // namespace

// `call` is passed by value: the task begins after the caller's temporary is destroyed.
Task reduce_by_parts(Operation& operation, Ticket ticket, const ReductionArguments& arguments,
                     CollectiveSignature call, int root) {
  Channel& channel = ticket.channel();
  const CollectiveSignature signature = channel.history.remember(call);
  PartwiseReduction parts(channel, arguments, root);
  const std::size_t slots = parts.slots();
  const Round first = ticket.reserve_rounds(2 * slots);
  for (std::size_t k = 0; k <= slots; ++k) {
    if (k < slots) {
      auto free_space = channel.free_space(first + 2 * k, parts.bytes(k));
      co_await operation.until(free_space);
      parts.write(first + 2 * k, k);
      channel.publish(first + 2 * k, k == 0 ? signature : CollectiveSignature());
    }
    if (k == 0) continue;
    const Round written = first + 2 * (k - 1);
    const Round reduced = written + 1;
    auto all_written = channel.all_published(written);
    co_await operation.until(all_written);
    if (k == 1) {
      channel.note_all_released(first);
      if (operation.fail(compare_all(channel, written, signature))) co_return;
    }
    auto free_space = channel.free_space(reduced, parts.reduced_bytes(k - 1));
    co_await operation.until(free_space);
    parts.reduce(written, reduced, k - 1);
    channel.release(written + 1);
    channel.publish(reduced, {});
    if (parts.gets_result()) {
      parts.read(reduced, channel.rank(), k - 1);
      auto all_reduced = channel.all_published(reduced);
      co_await operation.until(all_reduced);
      channel.note_all_released(written + 1);
      for (int i = 1; i < channel.size(); ++i) parts.read(reduced, channel.behind(i), k - 1);
    }
    channel.release(reduced + 1);
  }
}

}  // namespace atl::coll::shared_memory
