#include "runtime/coll/bcast/bcast.h"

namespace atl::coll::shared_memory {

FlatBcast::FlatBcast(const Bcast& call, Channel& channel) : data(call.data) {
  signature = make_signature(call);
  root = call.root;
  next_bytes = data.bytes();
  if (channel.rank() == root) bytes = next_bytes;
}

void FlatBcast::write_contribution(Channel& channel, Round round) {
  if (channel.rank() == root) channel.write(round, data, 0, bytes);
}

void FlatBcast::read_contributions(Channel& channel, Round round) {
  if (channel.rank() != root) channel.read(root, round, data, 0, data.bytes());
}

}  // namespace atl::coll::shared_memory
