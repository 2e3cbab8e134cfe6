// Blocks longer than a buffer slot.
#include "runtime/coll/allgather/allgather.h"
#include "runtime/coll/framework/pipeline.h"

namespace atl::coll::shared_memory {
namespace {

// Each round moves one slot of each rank's block.
class PipelinedAllgather {
 public:
  PipelinedAllgather(const Allgather& call, const Channel& channel)
      : call_(call),
        own_(call.own()),
        kept_(call.all[channel.rank()]),
        bytes_(own_.bytes()),
        slot_(channel.slot_bytes()),
        copies_once_(!call.mine.in_place() && own_.type->is_contiguous() &&
                     kept_.type->is_contiguous()) {}

  CollectiveSignature signature() const { return make_signature(call_); }
  Round rounds() const { return rounds_for(call_.all.most_bytes(size()), slot_); }
  std::size_t bytes(Round k) const { return length_in(k, bytes_, slot_); }
  void write_contribution(Channel& channel, Round round, Round k) {
    if (!copies_once_) return channel.write(round, own_, k * slot_, bytes(k));
    const std::byte* from = own_.type->first_byte(own_.address) + k * slot_;
    copy_to_both(channel.place(round, bytes(k), from),
                 kept_.type->first_byte(kept_.address) + k * slot_, from, bytes(k));
  }
  void overlapped_work(Round k) {
    if (!copies_once_ && !call_.mine.in_place()) copy_part(own_, kept_, k * slot_, bytes(k));
  }
  void read_contributions(Channel& channel, Round round, Round k) {
    for (int i = 1; i < size(); ++i) {
      const int rank = channel.behind(i);
      const Data to = call_.all[rank];
      channel.read(rank, round, to, k * slot_, length_in(k, to.bytes(), slot_));
    }
  }

 private:
  int size() const { return call_.comm.size(); }

  const Allgather& call_;
  Data own_;           // this rank's block
  Data kept_;          // its destination in this rank's receive buffer
  std::size_t bytes_;  // of own_
  std::size_t slot_;
  bool copies_once_;  // writes the slot and kept_ with one read of own_
};

}  // namespace

Task pipelined_allgather(const Allgather& call, Operation& operation, Ticket ticket) {
  const PipelinedAllgather pipeline(call, ticket.channel());
  return run_pipeline(operation, std::move(ticket), pipeline);
}

}  // namespace atl::coll::shared_memory
