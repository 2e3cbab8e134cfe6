// Reductions through the arena. All ranks combine in the order of the ranks, from
// the last one down, so that the bits are the same everywhere and each time, and
// operations that do not commute get what they must.
#include <algorithm>

#include "runtime/coll/arena.h"
#include "runtime/coll/called.h"
#include "runtime/coll/in_steps.h"

namespace atl::coll::arena {

void fold(Channel& channel, const Values& values, int last, const Reducing& with, std::byte* to) {
  if (values.count == 0 || last < 0) return;
  const auto of = [&](int rank) -> const std::byte* {
    const bool kept = values.own != nullptr && rank == channel.rank();
    return kept ? values.own : channel.data(rank, values.step, values.bytes) + values.start;
  };
  if (last == 0) return copy_bytes(to, of(0), values.count * with.datatype->size());
  with.reduction().combine(of(last - 1), of(last), to, values.count);
  for (int rank = last - 2; rank >= 0; --rank) {
    with.reduction().combine(of(rank), to, to, values.count);
  }
}

namespace {

constexpr int kAll = -1;

// Who gets the result reads all that the others give, and its own values where they are
// unless the result goes there: two who read one cell are in each other's way.
class ReduceCells {
 public:
  // `alone`: nobody else gets the result.
  ReduceCells(const Reducing& with, const Called& called, const Channel& channel, bool alone)
      : with_(with),
        called_(called),
        own_(with.contribution()),
        extent_(own_.type->size()),
        cell_(channel.cell_bytes() / extent_ * extent_),
        keeps_(own_.address != with.recvbuf),
        gives_(!alone || !keeps_) {}

  Called called() const { return called_; }
  Step steps() const { return steps_for(own_.bytes(), cell_); }
  std::size_t bytes(Step k) const { return gives_ ? length(k) : 0; }
  void give(Channel& channel, Step step, Step k) { channel.put(step, own_, k * cell_, bytes(k)); }
  void meanwhile(Step) {}
  void take(Channel& channel, Step step, Step k) {
    Values values = {.step = step, .bytes = length(k), .count = length(k) / extent_};
    if (keeps_) values.own = static_cast<const std::byte*>(own_.address) + k * cell_;
    fold(channel, values, channel.size() - 1, with_,
         static_cast<std::byte*>(with_.recvbuf) + k * cell_);
  }

 private:
  std::size_t length(Step k) const { return length_in(k, own_.bytes(), cell_); }

  const Reducing& with_;
  Called called_;
  Data own_;
  std::size_t extent_;
  std::size_t cell_;
  bool keeps_;  // own values
  bool gives_;
};

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

// Two steps for each cell: what all give of the parts of others, and the parts that
// each has reduced. While the parts of one cell are read the next cell is there.
class InParts {
 public:
  // `root`: who gets the result.
  InParts(Channel& channel, const Reducing& with, int root)
      : channel_(channel),
        with_(with),
        own_(with.contribution()),
        extent_(own_.type->size()),
        per_cell_(channel.cell_bytes() / extent_),
        parts_(extent_, channel.size()),
        gets_(root == kAll || root == channel.rank()) {}

  std::size_t cells() const { return steps_for(own_.count, per_cell_); }
  std::size_t bytes(std::size_t k) const { return count(k) * extent_; }
  bool gets() const { return gets_; }

  void give(Step given, std::size_t k) {
    std::byte* place = channel_.place(given, bytes(k), run() + start(k));
    const Part mine = part(channel_.rank(), k);
    pack(own_, start(k), {place, mine.start});
    const std::size_t end = mine.start + mine.bytes;
    pack(own_, start(k) + end, {place + end, bytes(k) - end});
  }

  std::size_t reduced_bytes(std::size_t k) const { return part(channel_.rank(), k).bytes; }
  void reduce(Step given, Step reduced, std::size_t k) {
    const Part mine = part(channel_.rank(), k);
    const Values values = {.step = given,
                           .bytes = bytes(k),
                           .start = mine.start,
                           .count = mine.bytes / extent_,
                           .own = run() + start(k) + mine.start};
    fold(channel_, values, channel_.size() - 1, with_,
         channel_.place(reduced, mine.bytes, with_.recvbuf));
  }

  void take(Step reduced, int rank, std::size_t k) {
    const Part part = this->part(rank, k);
    channel_.take(rank, reduced, with_.result(), start(k) + part.start, part.bytes);
  }

 private:
  // Bytes, in a cell.
  struct Part {
    std::size_t start;
    std::size_t bytes;
  };

  const std::byte* run() const { return static_cast<const std::byte*>(own_.address); }
  std::size_t start(std::size_t k) const { return k * per_cell_ * extent_; }
  std::size_t count(std::size_t k) const { return std::min(per_cell_, own_.count - k * per_cell_); }
  Part part(int rank, std::size_t k) const {
    const std::size_t start = parts_.start(rank, count(k));
    return {start * extent_, (parts_.start(rank + 1, count(k)) - start) * extent_};
  }

  Channel& channel_;
  const Reducing& with_;
  Data own_;
  std::size_t extent_;
  std::size_t per_cell_;  // elements
  Parts parts_;
  bool gets_;
};

// `call` by value: the task begins when the caller's temporary is gone.
Task in_parts(Operation& operation, Turn turn, const Reducing& with, Called call, int root) {
  Channel& channel = turn.channel();
  const Called called = channel.remember(call);
  InParts parts(channel, with, root);
  const std::size_t cells = parts.cells();
  const Step first = turn.take_steps(2 * cells);
  for (std::size_t k = 0; k <= cells; ++k) {
    if (k < cells) {
      auto room = channel.room(first + 2 * k, parts.bytes(k));
      co_await operation.until(room);
      parts.give(first + 2 * k, k);
      channel.set_called(first + 2 * k, k == 0 ? called : Called());
      channel.post(first + 2 * k);
    }
    if (k == 0) continue;
    const Step given = first + 2 * (k - 1);
    const Step reduced = given + 1;
    auto all_given = channel.all_posted(given);
    co_await operation.until(all_given);
    if (k == 1) {
      channel.all_left(first);
      if (operation.fail(compare_all(channel, given, called))) co_return;
    }
    auto room = channel.room(reduced, parts.reduced_bytes(k - 1));
    co_await operation.until(room);
    parts.reduce(given, reduced, k - 1);
    channel.leave(given + 1);
    channel.set_called(reduced, {});
    channel.post(reduced);
    if (parts.gets()) {
      parts.take(reduced, channel.rank(), k - 1);
      auto all_reduced = channel.all_posted(reduced);
      co_await operation.until(all_reduced);
      channel.all_left(given + 1);
      for (int i = 1; i < channel.size(); ++i) parts.take(reduced, channel.behind(i), k - 1);
    }
    channel.leave(reduced + 1);
  }
}

}  // namespace

Task reduce_cells(const Reduce& call, Operation& operation, Turn turn) {
  const bool gets = turn.channel().rank() == call.root;
  const ReduceCells cells(call.with, call_of(call), turn.channel(), gets);
  return gets ? in_steps(operation, std::move(turn), cells)
              : give_in_steps(operation, std::move(turn), cells, call.root);
}

Task allreduce_cells(const Allreduce& call, Operation& operation, Turn turn) {
  const ReduceCells cells(call.with, call_of(call), turn.channel(), false);
  return in_steps(operation, std::move(turn), cells);
}

Task reduce_parts(const Reduce& call, Operation& operation, Turn turn) {
  return in_parts(operation, std::move(turn), call.with, call_of(call), call.root);
}

Task allreduce_parts(const Allreduce& call, Operation& operation, Turn turn) {
  return in_parts(operation, std::move(turn), call.with, call_of(call), kAll);
}

namespace {

// As many elements of each rank's block as fit into a cell together.
class ReduceScatterCells {
 public:
  ReduceScatterCells(const ReduceScatter& call, const Channel& channel)
      : call_(call),
        own_(call.with.contribution()),
        extent_(own_.type->size()),
        piece_(channel.cell_bytes() / (extent_ * channel.ranks())),
        keeps_(own_.address != call.with.recvbuf) {
    for (int rank = 0; rank < channel.rank(); ++rank) before_ += block(rank);
  }

  Called called() const { return call_of(call_); }
  Step steps() const {
    std::size_t longest = 0;
    for (int rank = 0; rank < call_.comm.size(); ++rank) longest = std::max(longest, block(rank));
    return steps_for(longest, piece_);
  }
  std::size_t bytes(Step k) const { return bytes_before(call_.comm.size(), k); }
  void give(Channel& channel, Step step, Step k) {
    std::byte* place = channel.place(step, bytes(k), own_.address);
    std::size_t start = k * piece_ * extent_;  // in the block of `rank`
    for (int rank = 0; rank < channel.size(); ++rank) {
      const std::size_t length = count(rank, k) * extent_;
      if (!keeps_ || rank != channel.rank()) pack(own_, start, {place, length});
      place += length;
      start += block(rank) * extent_;
    }
  }
  void meanwhile(Step) {}
  void take(Channel& channel, Step step, Step k) {
    const int self = channel.rank();
    const std::size_t start = k * piece_;  // in the block of this rank
    Values values = {
        .step = step, .bytes = bytes(k), .start = bytes_before(self, k), .count = count(self, k)};
    if (keeps_) {
      values.own = static_cast<const std::byte*>(own_.address) + (before_ + start) * extent_;
    }
    fold(channel, values, channel.size() - 1, call_.with,
         static_cast<std::byte*>(call_.with.recvbuf) + start * extent_);
  }

 private:
  std::size_t block(int rank) const { return static_cast<std::size_t>(call_.count_of(rank)); }
  std::size_t count(int rank, Step k) const { return length_in(k, block(rank), piece_); }
  // In a cell, those for the ranks before this one.
  std::size_t bytes_before(int end, Step k) const {
    std::size_t sum = 0;
    for (int rank = 0; rank < end; ++rank) sum += count(rank, k) * extent_;
    return sum;
  }

  const ReduceScatter& call_;
  Data own_;
  std::size_t extent_;
  std::size_t piece_;       // elements
  bool keeps_;              // the values of its own block, unless the result goes there
  std::size_t before_ = 0;  // elements of the blocks of the ranks before this one
};

}  // namespace

// In place, too, no rank writes where it has something left to give: what lies as far
// into the buffer as the result in step `k` is given in that step or earlier.
Task reduce_scatter(const ReduceScatter& call, Operation& operation, Turn turn) {
  const ReduceScatterCells cells(call, turn.channel());
  return in_steps(operation, std::move(turn), cells);
}

}  // namespace atl::coll::arena
