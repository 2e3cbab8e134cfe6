// A reduction of values longer than a buffer slot, slot by slot: each rank that gets the result
// reads the published values of all others.
#pragma once

#include "runtime/coll/framework/fold.h"
#include "runtime/coll/framework/pipeline.h"

namespace atl::coll::shared_memory {

// This rank reads its own values from the contribution, not from its slot, unless the result
// overwrites them: two ranks that read one slot slow each other down.
class PipelinedReduction {
 public:
  // `alone`: no other rank gets the result.
  PipelinedReduction(const ReductionArguments& arguments, const CollectiveSignature& signature,
                     const Channel& channel, bool alone)
      : arguments_(arguments),
        signature_(signature),
        own_(arguments.contribution()),
        extent_(own_.type->size()),
        slot_(channel.slot_bytes() / extent_ * extent_),
        reads_own_(own_.address != arguments.recvbuf),
        publishes_(!alone || !reads_own_) {}

  CollectiveSignature signature() const { return signature_; }
  Round rounds() const { return rounds_for(own_.bytes(), slot_); }
  std::size_t bytes(Round k) const { return publishes_ ? length(k) : 0; }
  void write_contribution(Channel& channel, Round round, Round k) {
    channel.write(round, own_, k * slot_, bytes(k));
  }
  void overlapped_work(Round) {}
  void read_contributions(Channel& channel, Round round, Round k) {
    Contributions values = {.round = round, .bytes = length(k), .count = length(k) / extent_};
    if (reads_own_) values.own = static_cast<const std::byte*>(own_.address) + k * slot_;
    fold(channel, values, channel.size() - 1, arguments_,
         static_cast<std::byte*>(arguments_.recvbuf) + k * slot_);
  }

 private:
  std::size_t length(Round k) const { return length_in(k, own_.bytes(), slot_); }

  const ReductionArguments& arguments_;
  CollectiveSignature signature_;
  Data own_;
  std::size_t extent_;  // bytes of an element
  std::size_t slot_;    // bytes of whole elements in a slot
  bool reads_own_;      // from the contribution, not from the slot
  bool publishes_;
};

}  // namespace atl::coll::shared_memory
