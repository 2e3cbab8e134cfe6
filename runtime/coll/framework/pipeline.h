// Algorithms of many rounds in which all ranks write and read. Each rank writes one round ahead of
// the round that it reads, so that readers seldom wait for its contribution.
//
// A class determines what is written and read in round k of the operation, which is round `round`
// of the channel:
//   CollectiveSignature signature() const;
//   Round rounds() const;
//   std::size_t bytes(Round k) const;                            of this rank's contribution
//   void write_contribution(Channel&, Round round, Round k);
//   void overlapped_work(Round k);                               local work after publishing
//   void read_contributions(Channel&, Round round, Round k);     after all have published
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "runtime/coll/framework/channel.h"
#include "runtime/coll/framework/collective_signature.h"
#include "runtime/coll/framework/operation.h"
#include "runtime/coll/framework/task.h"

namespace atl::coll::shared_memory {

// The number of rounds that move `amount` with `per_round` in each; at least one.
inline Round rounds_for(std::size_t amount, std::size_t per_round) {
  return std::max<std::size_t>((amount + per_round - 1) / per_round, 1);
}

// The share of `amount` that round k moves.
inline std::size_t length_in(Round k, std::size_t amount, std::size_t per_round) {
  const std::size_t start = k * per_round;
  return start >= amount ? 0 : std::min(per_round, amount - start);
}

template <class Pipeline>
Task run_pipeline(Operation& operation, Ticket ticket, Pipeline pipeline) {
  Channel& channel = ticket.channel();
  const CollectiveSignature signature = channel.history.remember(pipeline.signature());
  const Round rounds = pipeline.rounds();
  const Round first = ticket.reserve_rounds(rounds);
  for (Round k = 0; k <= rounds; ++k) {
    if (k < rounds) {
      auto free_space = channel.free_space(first + k, pipeline.bytes(k));
      co_await operation.until(free_space);
      pipeline.write_contribution(channel, first + k, k);
      channel.publish(first + k, k == 0 ? signature : CollectiveSignature());
      pipeline.overlapped_work(k);
    }
    if (k == 0) continue;
    const Round round = first + k - 1;
    auto all_published = channel.all_published(round);
    co_await operation.until(all_published);
    channel.note_all_released(k == 1 ? first : round - 1);
    if (k == 1 && operation.fail(compare_all(channel, round, signature))) co_return;
    pipeline.read_contributions(channel, round, k - 1);
    channel.release(round + 1);
  }
}

// For a rank that reads nothing: only `root` reads.
template <class Pipeline>
Task contribute_to_pipeline(Operation& operation, Ticket ticket, Pipeline pipeline, int root) {
  Channel& channel = ticket.channel();
  const CollectiveSignature signature = channel.history.remember(pipeline.signature());
  const Round rounds = pipeline.rounds();
  const Round first = ticket.reserve_rounds(rounds);
  for (Round k = 0; k < rounds; ++k) {
    auto free_space = channel.free_space(first + k, pipeline.bytes(k));
    co_await operation.until(free_space);
    pipeline.write_contribution(channel, first + k, k);
    channel.publish(first + k, k == 0 ? signature : CollectiveSignature());
    if (k == 0 && channel.published(root, first)) {
      if (operation.fail(compare(channel, root, first, signature))) co_return;
    }
    channel.release(first + k + 1);  // reads nothing; the others need the release for free space
  }
}

}  // namespace atl::coll::shared_memory
