#include "runtime/coll/allgather/allgather.h"

namespace atl::coll::shared_memory {

FlatAllgather::FlatAllgather(const Allgather& call, Channel&) : call(call), own(call.own()) {
  signature = make_signature(call);
  bytes = own.bytes();
}

void FlatAllgather::write_contribution(Channel& channel, Round round) {
  channel.write(round, own, 0, bytes);
}

void FlatAllgather::overlapped_work() {
  if (!call.mine.in_place()) copy(own, call.all[call.comm.rank()]);
}

void FlatAllgather::read_contributions(Channel& channel, Round round) {
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    const Data to = call.all[rank];
    channel.read(rank, round, to, 0, to.bytes());
  }
}

}  // namespace atl::coll::shared_memory
