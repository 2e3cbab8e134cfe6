// Broadcast, allgather and alltoall in steps of a cell.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"
#include "runtime/coll/in_steps.h"

namespace atl::coll::arena {

// The others show what they call, but nobody waits for them.
Task bcast(const Bcast& call, Operation& operation, Turn turn) {
  Channel& channel = turn.channel();
  const std::size_t bytes = call.data.bytes();
  const std::size_t cell = channel.cell_bytes();
  const Step steps = steps_for(bytes, cell);
  const Step first = turn.take_steps(steps);
  const Called called = channel.remember(call_of(call));
  if (channel.rank() == call.root) {
    for (Step k = 0; k < steps; ++k) {
      const std::size_t length = length_in(k, bytes, cell);
      auto room = channel.room(first + k, length);
      co_await operation.until(room);
      channel.put(first + k, call.data, k * cell, length);
      channel.set_called(first + k, k == 0 ? called : Called());
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

namespace {

// A part of this rank's block.
class AllgatherCells {
 public:
  AllgatherCells(const Allgather& call, const Channel& channel)
      : call_(call),
        own_(call.own()),
        kept_(call.all[channel.rank()]),
        given_(own_.bytes()),
        cell_(channel.cell_bytes()),
        in_one_go_(!call.mine.in_place() && own_.type->flat() && kept_.type->flat()) {}

  Called called() const { return call_of(call_); }
  Step steps() const { return steps_for(call_.all.most_bytes(size()), cell_); }
  std::size_t bytes(Step k) const { return length_in(k, given_, cell_); }
  void give(Channel& channel, Step step, Step k) {
    if (!in_one_go_) return channel.put(step, own_, k * cell_, bytes(k));
    const std::byte* from = own_.type->run(own_.address) + k * cell_;
    copy_to_both(channel.place(step, bytes(k), from), kept_.type->run(kept_.address) + k * cell_,
                 from, bytes(k));
  }
  void meanwhile(Step k) {
    if (!in_one_go_ && !call_.mine.in_place()) copy_part(own_, kept_, k * cell_, bytes(k));
  }
  void take(Channel& channel, Step step, Step k) {
    for (int i = 1; i < size(); ++i) {
      const int rank = channel.behind(i);
      const Data to = call_.all[rank];
      channel.take(rank, step, to, k * cell_, length_in(k, to.bytes(), cell_));
    }
  }

 private:
  int size() const { return call_.comm.size(); }

  const Allgather& call_;
  Data own_;   // what this rank gives
  Data kept_;  // where it goes in its own buffer
  std::size_t given_;
  std::size_t cell_;
  bool in_one_go_;  // into the cell and the own buffer
};

}  // namespace

Task allgather(const Allgather& call, Operation& operation, Turn turn) {
  AllgatherCells cells(call, turn.channel());
  return in_steps(operation, std::move(turn), cells);
}

namespace {

// Of a piece for `reader` among those that `giver` gives.
std::size_t position(int reader, int giver) {
  return static_cast<std::size_t>(reader < giver ? reader : reader - 1);
}

}  // namespace

void put_pieces(Channel& channel, Step step, const Blocks& out, std::size_t start,
                std::size_t length) {
  std::byte* place = channel.place(step, length * channel.others(), out[0].address);
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (rank == channel.rank()) continue;
    pack(out[rank], start, {place, length});
    place += length;
  }
}

void take_piece(Channel& channel, Step step, int rank, const Data& to, std::size_t start,
                std::size_t length) {
  const std::byte* all = channel.data(rank, step, length * channel.others());
  unpack(to, start, {all + length * position(channel.rank(), rank), length});
}

void take_pieces(Channel& channel, Step step, const Blocks& in, std::size_t start,
                 std::size_t length) {
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    take_piece(channel, step, rank, in[rank], start, length);
  }
}

namespace {

// A piece for each of the others.
class AlltoallCells {
 public:
  AlltoallCells(const Alltoall& call, const Channel& channel)
      : call_(call),
        block_(call.in[channel.rank()].bytes()),
        others_(channel.others()),
        piece_(channel.cell_bytes() / others_) {}

  Called called() const { return call_of(call_); }
  Step steps() const { return steps_for(block_, piece_); }
  std::size_t bytes(Step k) const { return length(k) * others_; }
  void give(Channel& channel, Step step, Step k) {
    put_pieces(channel, step, call_.given(), k * piece_, length(k));
  }
  void meanwhile(Step k) {
    const int self = call_.comm.rank();
    if (!call_.out.in_place()) copy_part(call_.out[self], call_.in[self], k * piece_, length(k));
  }
  void take(Channel& channel, Step step, Step k) {
    take_pieces(channel, step, call_.in, k * piece_, length(k));
  }

 private:
  std::size_t length(Step k) const { return length_in(k, block_, piece_); }

  const Alltoall& call_;
  std::size_t block_;
  std::size_t others_;
  std::size_t piece_;
};

}  // namespace

Task alltoall(const Alltoall& call, Operation& operation, Turn turn) {
  AlltoallCells cells(call, turn.channel());
  return in_steps(operation, std::move(turn), cells);
}

}  // namespace atl::coll::arena
