// Reductions through the arena. All ranks combine in the order of the ranks, from
// the last one down, so that the bits are the same everywhere and each time, and
// operations that do not commute get what they must.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"

namespace atl::coll::arena {

void fold(Channel& channel, const Values& values, int last, const Reducing& with, std::byte* to) {
  if (values.count == 0 || last < 0) return;
  const auto of = [&](int rank) -> const std::byte* {
    const bool kept = values.own != nullptr && rank == channel.rank();
    return (kept ? values.own : channel.data(rank, values.step, values.bytes)) + values.start;
  };
  if (last == 0) return shm::copy(to, of(0), values.count * with.datatype->size());
  with.reduction().combine(of(last - 1), of(last), to, values.count);
  for (int rank = last - 2; rank >= 0; --rank) {
    with.reduction().combine(of(rank), to, to, values.count);
  }
}

namespace {

constexpr int kAll = -1;

// Who gets the result reads all that the others give. `root`: who that is; alone it need
// not give its own values to anybody, which stay where they are unless the result goes there.
Task in_cells(Operation& operation, Turn turn, const Reducing& with, Called called, int root) {
  Channel& channel = turn.channel();
  const Data own = with.contribution();
  const std::size_t extent = own.type->size();
  const std::size_t cell = channel.cell_bytes() / extent * extent;
  const std::size_t bytes = own.bytes();
  const Step steps = steps_for(bytes, cell);
  const Step first = turn.take_steps(steps);
  const bool gets = root == kAll || root == channel.rank();
  const bool keeps = root == channel.rank() && own.address != with.recvbuf;
  for (Step k = 0; k <= steps; ++k) {
    if (k < steps) {
      const std::size_t length = keeps ? 0 : length_in(k, bytes, cell);
      auto room = channel.room(first + k, length);
      co_await operation.until(room);
      channel.put(first + k, own, k * cell, length);
      if (k == 0) channel.set_called(first, called);
      channel.post(first + k);
    }
    if (k == 0) continue;
    const Step step = first + k - 1;
    if (!gets) {
      if (k == 1 && channel.posted(root, step)) {
        operation.fail(compare(channel, root, step, called));
      }
      channel.leave(step + 1);  // the others wait for all of us
      continue;
    }
    auto all_posted = channel.all_posted(step);
    co_await operation.until(all_posted);
    channel.all_left(std::max(first, step - 1));
    if (k == 1 && operation.fail(compare_all(channel, step, called))) co_return;
    const std::size_t length = length_in(k - 1, bytes, cell);
    Values values = {.step = step, .bytes = length, .count = length / extent};
    if (keeps) values.own = static_cast<const std::byte*>(own.address) + (k - 1) * cell;
    fold(channel, values, channel.size() - 1, with,
         static_cast<std::byte*>(with.recvbuf) + (k - 1) * cell);
    channel.leave(step + 1);
  }
}

// The elements of a cell that each rank reduces: whole cache lines, so that no two
// ranks write to one.
class Parts {
 public:
  Parts(std::size_t extent, int ranks)
      : unit_(std::max<std::size_t>(shm::kCacheLine / extent, 1)),
        ranks_(static_cast<std::size_t>(ranks)) {}

  // First element of the part of `rank` in a cell with `count`; that of the next
  // rank is its end.
  std::size_t start(int rank, std::size_t count) const {
    const std::size_t units = (count + unit_ - 1) / unit_;
    return std::min(units * static_cast<std::size_t>(rank) / ranks_ * unit_, count);
  }

 private:
  std::size_t unit_;
  std::size_t ranks_;
};

// Two steps for each cell: what all give, and the parts that each has reduced.
// While the parts of one cell are read the next cell is there. `root`: who gets
// the result.
Task in_parts(Operation& operation, Turn turn, const Reducing& with, Called called, int root) {
  Channel& channel = turn.channel();
  const Data own = with.contribution();
  const std::size_t extent = own.type->size();
  const std::size_t per_cell = channel.cell_bytes() / extent;
  const std::size_t cells = (own.count + per_cell - 1) / per_cell;
  const Step first = turn.take_steps(2 * cells);
  const Parts parts(extent, channel.size());
  const bool gets = root == kAll || root == channel.rank();
  const auto count_in = [&](std::size_t k) { return std::min(per_cell, own.count - k * per_cell); };
  for (std::size_t k = 0; k <= cells; ++k) {
    if (k < cells) {
      const std::size_t bytes = count_in(k) * extent;
      auto room = channel.room(first + 2 * k, bytes);
      co_await operation.until(room);
      channel.put(first + 2 * k, own, k * per_cell * extent, bytes);
      if (k == 0) channel.set_called(first, called);
      channel.post(first + 2 * k);
    }
    if (k == 0) continue;
    const Step given = first + 2 * (k - 1);
    const Step reduced = given + 1;
    const std::size_t count = count_in(k - 1);
    auto all_given = channel.all_posted(given);
    co_await operation.until(all_given);
    if (k == 1) {
      channel.all_left(first);
      if (operation.fail(compare_all(channel, given, called))) co_return;
    }
    const std::size_t begin = parts.start(channel.rank(), count);
    const std::size_t mine = parts.start(channel.rank() + 1, count) - begin;
    auto room = channel.room(reduced, mine * extent);
    co_await operation.until(room);
    const Values values = {
        .step = given, .bytes = count * extent, .start = begin * extent, .count = mine};
    fold(channel, values, channel.size() - 1, with,
         channel.place(reduced, mine * extent, with.recvbuf));
    channel.leave(given + 1);
    channel.post(reduced);
    if (gets) {
      auto all_reduced = channel.all_posted(reduced);
      co_await operation.until(all_reduced);
      channel.all_left(given + 1);
      const Data to = with.result();
      for (int rank = 0; rank < channel.size(); ++rank) {
        const std::size_t from = parts.start(rank, count);
        const std::size_t length = parts.start(rank + 1, count) - from;
        channel.take(rank, reduced, to, ((k - 1) * per_cell + from) * extent, length * extent);
      }
    }
    channel.leave(reduced + 1);
  }
}

}  // namespace

Called call_of(const Reduce& call) {
  return call_of(Kind::reduce, call.with.contribution(), call.with.reduction(), call.root);
}

Called call_of(const Allreduce& call) {
  return call_of(Kind::allreduce, call.with.contribution(), call.with.reduction());
}

Task reduce_cells(const Reduce& call, Operation& operation, Turn turn) {
  return in_cells(operation, std::move(turn), call.with, call_of(call), call.root);
}

Task allreduce_cells(const Allreduce& call, Operation& operation, Turn turn) {
  return in_cells(operation, std::move(turn), call.with, call_of(call), kAll);
}

Task reduce_parts(const Reduce& call, Operation& operation, Turn turn) {
  return in_parts(operation, std::move(turn), call.with, call_of(call), call.root);
}

Task allreduce_parts(const Allreduce& call, Operation& operation, Turn turn) {
  return in_parts(operation, std::move(turn), call.with, call_of(call), kAll);
}

// A step moves as many elements of each rank's block as fit into a cell together.
Task reduce_scatter(const ReduceScatter& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const int size = channel.size();
  const Data own = call.with.contribution();
  const std::size_t extent = own.type->size();
  const std::size_t piece = channel.cell_bytes() / (extent * static_cast<std::size_t>(size));
  std::size_t longest = 0;
  for (int rank = 0; rank < size; ++rank) {
    longest = std::max(longest, static_cast<std::size_t>(call.count_of(rank)));
  }
  const Step steps = steps_for(longest, piece);
  const Step first = turn.take_steps(steps);
  const Called called = call_of(Kind::reduce_scatter, own, call.with.reduction());
  const auto count_in = [&](std::size_t k, int rank) {
    return length_in(k, static_cast<std::size_t>(call.count_of(rank)), piece);
  };
  for (std::size_t k = 0; k < steps; ++k) {
    std::size_t bytes = 0;
    std::size_t start = 0;  // of this rank's piece in the cell
    for (int rank = 0; rank < size; ++rank) {
      if (rank == channel.rank()) start = bytes;
      bytes += count_in(k, rank) * extent;
    }
    auto room = channel.room(first + k, bytes);
    co_await operation.until(room);
    std::byte* place = channel.place(first + k, bytes, own.address);
    std::size_t block = 0;  // bytes before the block of `rank`
    for (int rank = 0; rank < size; ++rank) {
      const std::size_t length = count_in(k, rank) * extent;
      pack(own, block + k * piece * extent, {place, length});
      place += length;
      block += static_cast<std::size_t>(call.count_of(rank)) * extent;
    }
    if (k == 0) channel.set_called(first, called);
    channel.post(first + k);
    auto all_posted = channel.all_posted(first + k);
    co_await operation.until(all_posted);
    channel.all_left(first + k);
    if (k == 0 && operation.fail(compare_all(channel, first, called))) co_return;
    fold(channel,
         {.step = first + k, .bytes = bytes, .start = start, .count = count_in(k, channel.rank())},
         size - 1, call.with, static_cast<std::byte*>(call.with.recvbuf) + k * piece * extent);
    channel.leave(first + k + 1);
  }
}

}  // namespace atl::coll::arena
