#include <algorithm>

#include "runtime/coll/framework/fold.h"
#include "runtime/coll/framework/pipeline.h"
#include "runtime/coll/reduce_scatter/reduce_scatter.h"

namespace atl::coll::shared_memory {
namespace {

// Each round moves as many elements of every rank's block as fit into a slot together.
class PipelinedReduceScatter {
 public:
  PipelinedReduceScatter(const ReduceScatter& call, const Channel& channel)
      : call_(call),
        own_(call.arguments.contribution()),
        extent_(own_.type->size()),
        fragment_(channel.slot_bytes() / (extent_ * channel.ranks())),
        reads_own_(own_.address != call.arguments.recvbuf) {
    for (int rank = 0; rank < channel.rank(); ++rank) before_ += block(rank);
  }

  CollectiveSignature signature() const { return make_signature(call_); }
  Round rounds() const {
    std::size_t longest = 0;
    for (int rank = 0; rank < call_.comm.size(); ++rank) longest = std::max(longest, block(rank));
    return rounds_for(longest, fragment_);
  }
  std::size_t bytes(Round k) const { return bytes_before(call_.comm.size(), k); }
  void write_contribution(Channel& channel, Round round, Round k) {
    std::byte* place = channel.place(round, bytes(k), own_.address);
    std::size_t start = k * fragment_ * extent_;  // in the block of `rank`
    for (int rank = 0; rank < channel.size(); ++rank) {
      const std::size_t length = count(rank, k) * extent_;
      if (!reads_own_ || rank != channel.rank()) pack(own_, start, {place, length});
      place += length;
      start += block(rank) * extent_;
    }
  }
  void overlapped_work(Round) {}
  void read_contributions(Channel& channel, Round round, Round k) {
    const int self = channel.rank();
    const std::size_t start = k * fragment_;  // in the block of this rank
    Contributions values = {
        .round = round, .bytes = bytes(k), .start = bytes_before(self, k), .count = count(self, k)};
    if (reads_own_) {
      values.own = static_cast<const std::byte*>(own_.address) + (before_ + start) * extent_;
    }
    fold(channel, values, channel.size() - 1, call_.arguments,
         static_cast<std::byte*>(call_.arguments.recvbuf) + start * extent_);
  }

 private:
  std::size_t block(int rank) const { return static_cast<std::size_t>(call_.count_of(rank)); }
  std::size_t count(int rank, Round k) const { return length_in(k, block(rank), fragment_); }
  // Bytes of round k in the slot before those for rank `end`.
  std::size_t bytes_before(int end, Round k) const {
    std::size_t sum = 0;
    for (int rank = 0; rank < end; ++rank) sum += count(rank, k) * extent_;
    return sum;
  }

  const ReduceScatter& call_;
  Data own_;
  std::size_t extent_;
  std::size_t fragment_;    // elements
  bool reads_own_;          // its own block from the contribution, unless the result overwrites it
  std::size_t before_ = 0;  // elements of the blocks of the ranks before this one
};

}  // namespace

// Also valid in place: the result of round k overwrites only bytes of the buffer that this rank
// published in round k or earlier.
Task pipelined_reduce_scatter(const ReduceScatter& call, Operation& operation, Ticket ticket) {
  const PipelinedReduceScatter pipeline(call, ticket.channel());
  return run_pipeline(operation, std::move(ticket), pipeline);
}

}  // namespace atl::coll::shared_memory
