#include "runtime/coll/gather/gather.h"

namespace atl::coll::shared_memory {

FlatGather::FlatGather(const Gather& call, Channel&) : call(call), own(call.own()) {
  signature = make_signature(call);
  root = call.root;
  bytes = own.bytes();
}

void FlatGather::write_contribution(Channel& channel, Round round) {
  if (channel.rank() != root) channel.write(round, own, 0, bytes);
}

void FlatGather::overlapped_work() {
  if (call.comm.rank() == root && !call.mine.in_place()) copy(own, call.all[root]);
}

void FlatGather::read_contributions(Channel& channel, Round round) {
  if (channel.rank() != root) return;
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (rank != root) channel.read(rank, round, call.all[rank], 0, bytes);
  }
}

}  // namespace atl::coll::shared_memory
