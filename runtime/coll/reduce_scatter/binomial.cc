#include "runtime/coll/reduce/reduce.h"
#include "runtime/coll/reduce_scatter/reduce_scatter.h"

namespace atl::coll::messages {

// A reduction to rank 0, which sends each rank its block. In an inter-communicator the two ranks 0
// exchange the results of their groups.
Task binomial_reduce_scatter(const ReduceScatter& call, Operation& operation) {
  Communicator& group = call.comm.is_inter() ? call.comm.local() : call.comm;
  const Scratch sum(call.arguments.contribution().count, call.arguments.datatype.get());
  co_await binomial_reduce(operation, group, call.arguments.contribution(), sum.data(), 0,
                           call.arguments.reduction());
  const Scratch theirs(call.comm.is_inter() && call.comm.rank() == 0 ? sum.data().count : 0,
                       call.arguments.datatype.get());
  if (call.comm.is_inter() && call.comm.rank() == 0) {
    operation.send(sum.data(), 0, call.comm);
    operation.receive(theirs.data(), 0, call.comm);
    co_await operation.settled();
  }
  const Data mine = {call.arguments.recvbuf,
                     static_cast<std::size_t>(call.count_of(call.comm.rank())),
                     call.arguments.datatype.get()};
  if (call.comm.rank() != 0) {
    operation.receive(mine, 0, group);
    co_await operation.settled();
    co_return;
  }
  const Data& whole = call.comm.is_inter() ? theirs.data() : sum.data();
  std::size_t first = mine.count;
  copy(whole.part(0, first), mine);
  for (int rank = 1; rank < call.comm.size(); ++rank) {
    const auto count = static_cast<std::size_t>(call.count_of(rank));
    operation.send(whole.part(first, count), rank, group);
    first += count;
  }
  co_await operation.settled();
}

}  // namespace atl::coll::messages
