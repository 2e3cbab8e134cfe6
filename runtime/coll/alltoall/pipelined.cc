// Blocks that do not fit into one buffer slot together.
#include "runtime/coll/alltoall/alltoall.h"
#include "runtime/coll/framework/pipeline.h"
#include "runtime/coll/framework/slot_blocks.h"

namespace atl::coll::shared_memory {
namespace {

// Each round moves a fragment of the block for each other rank.
class PipelinedAlltoall {
 public:
  PipelinedAlltoall(const Alltoall& call, const Channel& channel)
      : call_(call),
        block_(call.in[channel.rank()].bytes()),
        others_(channel.others()),
        fragment_(channel.slot_bytes() / others_) {}

  CollectiveSignature signature() const { return make_signature(call_); }
  Round rounds() const { return rounds_for(block_, fragment_); }
  std::size_t bytes(Round k) const { return length(k) * others_; }
  void write_contribution(Channel& channel, Round round, Round k) {
    write_blocks(channel, round, call_.sent(), k * fragment_, length(k));
  }
  void overlapped_work(Round k) {
    const int self = call_.comm.rank();
    if (!call_.out.in_place()) copy_part(call_.out[self], call_.in[self], k * fragment_, length(k));
  }
  void read_contributions(Channel& channel, Round round, Round k) {
    read_blocks(channel, round, call_.in, k * fragment_, length(k));
  }

 private:
  std::size_t length(Round k) const { return length_in(k, block_, fragment_); }

  const Alltoall& call_;
  std::size_t block_;
  std::size_t others_;
  std::size_t fragment_;
};

}  // namespace

Task pipelined_alltoall(const Alltoall& call, Operation& operation, Ticket ticket) {
  const PipelinedAlltoall pipeline(call, ticket.channel());
  return run_pipeline(operation, std::move(ticket), pipeline);
}

}  // namespace atl::coll::shared_memory
