// Barrier, broadcast, gather, scatter, allgather and alltoall through the arena.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"

namespace atl::coll::arena {

Task barrier(const Barrier&, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step step = turn.take_steps(1);
  const Called called = call_of(Kind::barrier, nothing());
  auto room = channel.room(step, 0);
  co_await operation.until(room);
  channel.set_called(step, called);
  channel.post(step);
  auto all_posted = channel.all_posted(step);
  co_await operation.until(all_posted);
  channel.all_left(step);
  operation.fail(compare_all(channel, step, called));
}

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

Task gather(const Gather& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step step = turn.take_steps(1);
  const bool is_root = channel.rank() == call.root;
  const Data own = call.own();
  const std::size_t bytes = own.bytes();
  const Called called = call_of(Kind::gather, own, call.root);
  auto room = channel.room(step, bytes);
  co_await operation.until(room);
  if (!is_root) channel.put(step, own, 0, bytes);
  channel.set_called(step, called);
  channel.post(step);
  if (!is_root) {
    if (channel.posted(call.root, step)) operation.fail(compare(channel, call.root, step, called));
    co_return;
  }
  if (!call.mine.in_place()) copy(own, call.all[call.root]);
  auto all_posted = channel.all_posted(step);
  co_await operation.until(all_posted);
  channel.all_left(step);
  if (operation.fail(compare_all(channel, step, called))) co_return;
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (rank != call.root) channel.take(rank, step, call.all[rank], 0, bytes);
  }
}

Task scatter(const Scatter& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const Step step = turn.take_steps(1);
  const bool is_root = channel.rank() == call.root;
  const Data own = call.own();
  const std::size_t block = own.bytes();
  const std::size_t bytes = block * static_cast<std::size_t>(channel.size());
  const Called called = call_of(Kind::scatter, own, call.root);
  auto room = channel.room(step, is_root ? bytes : 0);
  co_await operation.until(room);
  if (is_root) {
    std::byte* place = channel.place(step, bytes, call.all[0].address);
    for (int rank = 0; rank < channel.size(); ++rank, place += block) {
      if (rank != call.root) pack(call.all[rank], 0, {place, block});
    }
    channel.set_called(step, called);
    channel.post_alone(step);
    if (!call.mine.in_place()) copy(call.all[call.root], own);
    co_return;
  }
  channel.set_called(step, called);
  channel.show(step);
  auto posted = [&](shm::Look) { return channel.posted(call.root, step); };
  co_await operation.until(posted);
  if (operation.fail(compare(channel, call.root, step, called))) co_return;
  const std::size_t before = block * static_cast<std::size_t>(channel.rank());
  unpack(own, 0, {channel.data(call.root, step, bytes) + before, block});
}

// Each rank is one step ahead with what it gives.
Task allgather(const Allgather& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const std::size_t cell = channel.cell_bytes();
  const int size = channel.size();
  Called called = call_of(Kind::allgather, nothing());
  std::size_t longest = 0;
  for (int rank = 0; rank < size; ++rank) {
    const std::size_t bytes = call.all[rank].bytes();
    longest = std::max(longest, bytes);
    called.bytes += bytes;
  }
  const Step steps = steps_for(longest, cell);
  const Step first = turn.take_steps(steps);
  const Data own = call.mine.in_place() ? call.all[channel.rank()] : call.mine[0];
  for (Step k = 0; k <= steps; ++k) {
    if (k < steps) {
      const std::size_t length = length_in(k, own.bytes(), cell);
      auto room = channel.room(first + k, length);
      co_await operation.until(room);
      channel.put(first + k, own, k * cell, length);
      if (k == 0) channel.set_called(first, called);
      channel.post(first + k);
    }
    if (k == 0) {
      if (!call.mine.in_place()) copy(own, call.all[channel.rank()]);
      continue;
    }
    const Step step = first + k - 1;
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(std::max(first, step - 1));
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    for (int i = 1; i < size; ++i) {
      const int rank = (channel.rank() + i) % size;
      const Data to = call.all[rank];
      channel.take(rank, step, to, (k - 1) * cell, length_in(k - 1, to.bytes(), cell));
    }
    channel.leave(step + 1);
  }
}

// A cell has a piece for each of the others.
Task alltoall(const Alltoall& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const int size = channel.size();
  const auto ranks = static_cast<std::size_t>(size);
  const int self = channel.rank();
  const bool in_place = call.out.in_place();
  const Blocks& out = in_place ? call.in : call.out;
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
      std::byte* place = channel.place(first + k, length * ranks, out[0].address);
      for (int rank = 0; rank < size; ++rank, place += length) {
        if (rank != self) pack(out[rank], k * piece, {place, length});
      }
      if (k == 0) channel.set_called(first, called);
      channel.post(first + k);
    }
    if (k == 0) {
      if (!in_place) copy(out[self], call.in[self]);
      continue;
    }
    const Step step = first + k - 1;
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(std::max(first, step - 1));
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    const std::size_t length = length_in(k - 1, block, piece);
    const std::size_t before = length * static_cast<std::size_t>(self);
    for (int i = 1; i < size; ++i) {
      const int rank = (self + i) % size;
      const std::byte* data = channel.data(rank, step, length * ranks) + before;
      unpack(call.in[rank], (k - 1) * piece, {data, length});
    }
    channel.leave(step + 1);
  }
}

}  // namespace atl::coll::arena
