#include "runtime/coll/alltoall/alltoall.h"
#include "runtime/coll/framework/slot_blocks.h"

namespace atl::coll::shared_memory {

FlatAlltoall::FlatAlltoall(const Alltoall& call, Channel& channel)
    : call(call), block(call.in[channel.rank()].bytes()) {
  signature = make_signature(call);
  bytes = block * channel.others();
}

void FlatAlltoall::write_contribution(Channel& channel, Round round) {
  write_blocks(channel, round, call.sent(), 0, block);
}

void FlatAlltoall::overlapped_work() {
  const int self = call.comm.rank();
  if (!call.out.in_place()) copy(call.out[self], call.in[self]);
}

void FlatAlltoall::read_contributions(Channel& channel, Round round) {
  read_blocks(channel, round, call.in, 0, block);
}

}  // namespace atl::coll::shared_memory
