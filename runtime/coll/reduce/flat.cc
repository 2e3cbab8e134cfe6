#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::shared_memory {

FlatReduce::FlatReduce(const Reduce& call, Channel& channel)
    : FlatReduction(call.arguments, make_signature(call), channel.size() - 1) {
  root = call.root;
  unpublished = channel.rank() == root && own.address != arguments.recvbuf;
  next_bytes = bytes;
  if (unpublished) bytes = 0;
}

void FlatReduce::read_contributions(Channel& channel, Round round) {
  if (channel.rank() == root) FlatReduction::read_contributions(channel, round);
}

}  // namespace atl::coll::shared_memory
