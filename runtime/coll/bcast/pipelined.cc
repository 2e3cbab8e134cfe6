// Data longer than a buffer slot: the root writes one slot after another while the others read.
#include "runtime/coll/bcast/bcast.h"
#include "runtime/coll/framework/pipeline.h"

namespace atl::coll::shared_memory {

// The other ranks publish their signatures, but nobody waits for those.
Task pipelined_bcast(const Bcast& call, Operation& operation, Ticket ticket) {
  Channel& channel = ticket.channel();
  const std::size_t bytes = call.data.bytes();
  const std::size_t slot = channel.slot_bytes();
  const Round rounds = rounds_for(bytes, slot);
  const Round first = ticket.reserve_rounds(rounds);
  const CollectiveSignature signature = channel.history.remember(make_signature(call));
  if (channel.rank() == call.root) {
    for (Round k = 0; k < rounds; ++k) {
      const std::size_t length = length_in(k, bytes, slot);
      auto free_space = channel.free_space(first + k, length);
      co_await operation.until(free_space);
      channel.write(first + k, call.data, k * slot, length);
      channel.publish_awaited(first + k, k == 0 ? signature : CollectiveSignature());
    }
    co_return;
  }
  auto free_space = channel.free_space(first, 0);
  co_await operation.until(free_space);
  channel.publish_unawaited(first, signature);
  for (Round k = 0; k < rounds; ++k) {
    auto published = [&](shm::PollMode) { return channel.published(call.root, first + k); };
    co_await operation.until(published);
    if (k == 0 && operation.fail(compare(channel, call.root, first, signature))) co_return;
    channel.read(call.root, first + k, call.data, k * slot, length_in(k, bytes, slot));
    channel.release(first + k + 1);
  }
}

}  // namespace atl::coll::shared_memory
