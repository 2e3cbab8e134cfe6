#include <optional>

#include "runtime/coll/reduce/reduce.h"

namespace atl::coll::messages {
namespace {

// Two receive buffers, used in turn: the values in one are combined into those received in the
// other. The first may be the caller's; otherwise memory is allocated by the first use.
class TwoBuffers {
 public:
  TwoBuffers(const Data& like, const Data* first) : like_(like) {
    if (first != nullptr) buffers_[0] = *first;
  }

  const Data& next() {
    index_ = 1 - index_;
    Data& buffer = buffers_[index_];
    if (buffer.type == nullptr) buffer = own_[index_].emplace(like_.count, like_.type).data();
    return buffer;
  }

 private:
  Data like_;
  Data buffers_[2];
  std::optional<Scratch> own_[2];
  int index_ = 1;
};

}  // namespace

// A binomial tree in rank order: each rank receives the combined values of the next 1, 2, 4, ...
// ranks after it, then sends its own combined values to its parent.
Task binomial_reduce(Operation& operation, Communicator& comm, Data contribution, Data result,
                     int root, const op::Reduction& reduction) {
  const int size = comm.size();
  const int first = reduction.commutes() ? root : 0;
  const int number = (comm.rank() - first + size) % size;
  const auto rank_of = [=](int n) { return (n + first) % size; };
  const bool is_root = comm.rank() == root;
  // With gaps the result buffer cannot be used: a user-defined operation may write into the gaps,
  // which belong to the caller.
  const bool in_result = is_root && number == 0 && result.type->is_contiguous() &&
                         result.address != contribution.address;
  TwoBuffers buffers(contribution, in_result ? &result : nullptr);
  Data mine = contribution;
  int bit = 1;
  for (; bit < size && (number & bit) == 0; bit *= 2) {
    if (number + bit >= size) continue;
    const Data& theirs = buffers.next();
    operation.receive(theirs, rank_of(number + bit), comm);
    co_await operation.settled();
    reduction(mine.address, theirs.address, mine.count);
    mine = theirs;
  }
  if (number != 0) {
    operation.send(mine, rank_of(number - bit), comm);
  } else if (first != root) {
    operation.send(mine, root, comm);
  } else if (mine.address != result.address) {
    copy(mine, result);
  }
  // Also valid in place: rank 0 sends the result only after it has received the values of all.
  if (is_root && first != root) operation.receive(result, first, comm);
  co_await operation.settled();
}

Task binomial_reduce(const Reduce& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!call.comm.is_inter()) {
    co_await binomial_reduce(operation, call.comm, call.arguments.contribution(),
                             call.arguments.result(), call.root, call.arguments.reduction());
    co_return;
  }
  if (call.root == MPI_ROOT) {
    operation.receive(call.arguments.result(), 0, call.comm);
    co_await operation.settled();
    co_return;
  }
  const Scratch sum(call.arguments.contribution().count, call.arguments.datatype.get());
  co_await binomial_reduce(operation, call.comm.local(), call.arguments.contribution(), sum.data(),
                           0, call.arguments.reduction());
  if (call.comm.rank() == 0) operation.send(sum.data(), call.root, call.comm);
  co_await operation.settled();
}

}  // namespace atl::coll::messages
