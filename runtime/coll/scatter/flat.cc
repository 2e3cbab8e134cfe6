#include "runtime/coll/framework/slot_blocks.h"
#include "runtime/coll/scatter/scatter.h"

namespace atl::coll::shared_memory {

FlatScatter::FlatScatter(const Scatter& call, Channel& channel)
    : call(call), own(call.own()), block(own.bytes()) {
  signature = make_signature(call);
  root = call.root;
  if (channel.rank() == root) bytes = block * channel.others();
}

void FlatScatter::write_contribution(Channel& channel, Round round) {
  if (channel.rank() == root) write_blocks(channel, round, call.all, 0, block);
}

void FlatScatter::overlapped_work() {
  if (call.comm.rank() == root && !call.mine.in_place()) copy(call.all[root], own);
}

void FlatScatter::read_contributions(Channel& channel, Round round) {
  if (channel.rank() != root) read_block(channel, round, root, own, 0, block);
}

}  // namespace atl::coll::shared_memory
