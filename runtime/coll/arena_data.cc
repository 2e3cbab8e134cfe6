// Broadcast, allgather and alltoall in steps of a cell.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"

namespace atl::coll::arena {

// The others show what they call, but nobody waits for them.
Task bcast(const Bcast& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const std::size_t bytes = call.data.bytes();
  const std::size_t cell = channel.cell_bytes();
  const Step steps = steps_for(bytes, cell);
  const Step first = turn.take_steps(steps);
  const Called called = call_of(Kind::bcast, call.data, call.root);
  if (channel.rank() == call.root) {
    for (Step k = 0; k < steps; ++k) {
      const std::size_t length = length_in(k, bytes, cell);
      auto room = channel.room(first + k, length);
      co_await operation.until(room);
      channel.put(first + k, call.data, k * cell, length);
      if (k == 0) channel.set_called(first, called);
      channel.post_alone(first + k);
    }
    co_return;
  }
  auto room = channel.room(first, 0);
  co_await operation.until(room);
  channel.set_called(first, called);
  channel.show(first);
  for (Step k = 0; k < steps; ++k) {
    auto posted = [&](shm::Look) { return channel.posted(call.root, first + k); };
    co_await operation.until(posted);
    if (k == 0 && operation.fail(compare(channel, call.root, first, called))) co_return;
    channel.take(call.root, first + k, call.data, k * cell, length_in(k, bytes, cell));
    channel.leave(first + k + 1);
  }
}

// Each rank is one step ahead with what it gives.
Task allgather(const Allgather& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const std::size_t cell = channel.cell_bytes();
  const int size = channel.size();
  const Called called = call_of(Kind::allgather, call.all.total_bytes(size));
  const Step steps = steps_for(call.all.most_bytes(size), cell);
  const Step first = turn.take_steps(steps);
  const Data own = call.own();
  const std::size_t given = call.own_bytes();
  for (Step k = 0; k <= steps; ++k) {
    if (k < steps) {
      const std::size_t length = length_in(k, given, cell);
      auto room = channel.room(first + k, length);
      co_await operation.until(room);
      channel.put(first + k, own, k * cell, length);
      if (k == 0) channel.set_called(first, called);
      channel.post(first + k);
    }
    // While the others read it, and while it is in the cache.
    if (k < steps && !call.mine.in_place()) {
      copy_part(own, call.all[channel.rank()], k * cell, length_in(k, given, cell));
    }
    if (k == 0) continue;
    const Step step = first + k - 1;
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(std::max(first, step - 1));
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    for (int i = 1; i < size; ++i) {
      const int rank = channel.behind(i);
      const Data to = call.all[rank];
      channel.take(rank, step, to, (k - 1) * cell, length_in(k - 1, to.bytes(), cell));
    }
    channel.leave(step + 1);
  }
}

void put_pieces(Channel& channel, Step step, const Blocks& out, std::size_t start,
                std::size_t length) {
  std::byte* place = channel.place(step, length * channel.ranks(), out[0].address);
  for (int rank = 0; rank < channel.size(); ++rank, place += length) {
    if (rank != channel.rank()) pack(out[rank], start, {place, length});
  }
}

void take_pieces(Channel& channel, Step step, const Blocks& in, std::size_t start,
                 std::size_t length) {
  const std::size_t before = length * static_cast<std::size_t>(channel.rank());
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    const std::byte* data = channel.data(rank, step, length * channel.ranks()) + before;
    unpack(in[rank], start, {data, length});
  }
}

// A cell has a piece for each of the others.
Task alltoall(const Alltoall& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const std::size_t ranks = channel.ranks();
  const int self = channel.rank();
  const Blocks& out = call.given();
  const std::size_t block = call.in[self].bytes();
  const std::size_t piece = channel.cell_bytes() / ranks;
  const Step steps = steps_for(block, piece);
  const Step first = turn.take_steps(steps);
  const Called called = call_of(Kind::alltoall, call.in[self]);
  for (Step k = 0; k <= steps; ++k) {
    if (k < steps) {
      const std::size_t length = length_in(k, block, piece);
      auto room = channel.room(first + k, length * ranks);
      co_await operation.until(room);
      put_pieces(channel, first + k, out, k * piece, length);
      if (k == 0) channel.set_called(first, called);
      channel.post(first + k);
    }
    if (k == 0) {
      if (!call.out.in_place()) copy(out[self], call.in[self]);
      continue;
    }
    const Step step = first + k - 1;
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(std::max(first, step - 1));
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    take_pieces(channel, step, call.in, (k - 1) * piece, length_in(k - 1, block, piece));
    channel.leave(step + 1);
  }
}

}  // namespace atl::coll::arena
