// Reductions to one rank, to all, and to all in parts.
#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/coll/messages.h"

namespace atl::coll {

Reducing::Reducing(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                   const Op& op)
    : sendbuf(sendbuf), recvbuf(recvbuf), count(count), datatype(datatypes.find(datatype)) {
  if (this->datatype != nullptr && this->datatype->committed()) {
    reduction_.emplace(op, *this->datatype, datatype);
  }
}

Fault Reducing::check(bool gives, bool gets, MPI_Count some) const {
  const Names result = {"recvbuf", "count", "datatype"};
  if (gives && !in_place()) {
    const Names contribution = {"sendbuf", "count", "datatype"};
    if (Fault fault = check_data(contribution, sendbuf, count, datatype.get())) return fault;
  } else if (Fault fault = check_data(result, recvbuf, count, datatype.get())) {
    return fault;
  }
  if (Fault fault = reduction_->check()) return fault;
  if (!gets) return {};
  if (Fault fault = check_data(result, recvbuf, count, datatype.get())) return fault;
  if (!gives || in_place()) return {};
  // Both have the same type, and the result is no longer: farther apart than that is mostly known
  // from the addresses alone.
  const std::size_t bytes = static_cast<std::size_t>(count) * datatype->size();
  const std::uintptr_t distance =
      reinterpret_cast<std::uintptr_t>(sendbuf) - reinterpret_cast<std::uintptr_t>(recvbuf);
  if (__builtin_expect(distance + bytes - 1 >= 2 * bytes - 1, 1)) return {};
  return check_apart(contribution(), {recvbuf, static_cast<std::size_t>(some), datatype.get()});
}

namespace {

// Two places for values in turn: what is combined with one goes to the other. The first
// may be the caller's; memory is taken when it is needed.
class TwoPlaces {
 public:
  TwoPlaces(const Data& like, const Data* first) : like_(like) {
    if (first != nullptr) places_[0] = *first;
  }

  const Data& next() {
    turn_ = 1 - turn_;
    Data& place = places_[turn_];
    if (place.type == nullptr) place = own_[turn_].emplace(like_.count, like_.type).data();
    return place;
  }

 private:
  Data like_;
  Data places_[2];
  std::optional<Scratch> own_[2];
  int turn_ = 1;
};

}  // namespace

// A binomial tree of ranks in their order: each rank takes in, from those after
// it, the values of twice, four times, ... as many, then hands on what it has.
Task reduce(Operation& operation, Communicator& comm, Data contribution, Data result, int root,
            const op::Reduction& reduction) {
  const int size = comm.size();
  const int first = reduction.commutes() ? root : 0;
  const int number = (comm.rank() - first + size) % size;
  const auto rank_of = [=](int n) { return (n + first) % size; };
  const bool gets = comm.rank() == root;
  // An operation of the program may write into gaps, which belong to the caller.
  const bool in_result =
      gets && number == 0 && result.type->flat() && result.address != contribution.address;
  TwoPlaces places(contribution, in_result ? &result : nullptr);
  Data mine = contribution;
  int bit = 1;
  for (; bit < size && (number & bit) == 0; bit *= 2) {
    if (number + bit >= size) continue;
    const Data& theirs = places.next();
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
  // In place as well: it comes when the values of all were read.
  if (gets && first != root) operation.receive(result, first, comm);
  co_await operation.settled();
}

Fault Reduce::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (!comm.is_inter()) return with.check(true, comm.rank() == root);
  return with.check(root != MPI_ROOT, root == MPI_ROOT);
}

Task messages::reduce(const Reduce& call, Operation& operation) {
  if (call.root == MPI_PROC_NULL) co_return;
  if (!call.comm.is_inter()) {
    co_await reduce(operation, call.comm, call.with.contribution(), call.with.result(), call.root,
                    call.with.reduction());
    co_return;
  }
  if (call.root == MPI_ROOT) {
    operation.receive(call.with.result(), 0, call.comm);
    co_await operation.settled();
    co_return;
  }
  const Scratch sum(call.with.contribution().count, call.with.datatype.get());
  co_await reduce(operation, call.comm.local(), call.with.contribution(), sum.data(), 0,
                  call.with.reduction());
  if (call.comm.rank() == 0) operation.send(sum.data(), call.root, call.comm);
  co_await operation.settled();
}

Fault Allreduce::check() const { return with.check(true, true); }

// Between groups each gets what the other one has.
Task messages::allreduce(const Allreduce& call, Operation& operation) {
  if (!call.comm.is_inter()) {
    co_await reduce(operation, call.comm, call.with.contribution(), call.with.result(), 0,
                    call.with.reduction());
    co_await bcast(operation, call.comm, call.with.result(), 0);
    co_return;
  }
  const Scratch sum(call.with.contribution().count, call.with.datatype.get());
  co_await reduce(operation, call.comm.local(), call.with.contribution(), sum.data(), 0,
                  call.with.reduction());
  if (call.comm.rank() == 0) {
    operation.send(sum.data(), 0, call.comm);
    operation.receive(call.with.result(), 0, call.comm);
    co_await operation.settled();
  }
  co_await bcast(operation, call.comm.local(), call.with.result(), 0);
}

namespace {

MPI_Count sum_of(Numbers counts, int ranks) {
  MPI_Count sum = 0;
  for (int rank = 0; !counts.null() && rank < ranks; ++rank) sum += counts[rank];
  return sum;
}

}  // namespace

ReduceScatter::ReduceScatter(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                             MPI_Datatype datatype, const Op& op, Communicator& comm)
    : comm(comm), count(recvcount), with(sendbuf, recvbuf, recvcount * comm.size(), datatype, op) {}

ReduceScatter::ReduceScatter(const void* sendbuf, void* recvbuf, Numbers recvcounts,
                             MPI_Datatype datatype, const Op& op, Communicator& comm)
    : comm(comm),
      counts(recvcounts),
      listed(true),
      with(sendbuf, recvbuf, sum_of(recvcounts, comm.size()), datatype, op) {}

Fault ReduceScatter::check() const {
  if (listed && counts.null()) return fail(MPI_ERR_ARG, "recvcounts is a null pointer");
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (count_of(rank) >= 0) continue;
    return fail(MPI_ERR_COUNT, "%s=%lld is negative",
                listed ? ("recvcounts[" + std::to_string(rank) + "]").c_str() : "recvcount",
                static_cast<long long>(count_of(rank)));
  }
  const MPI_Count own = count_of(comm.rank());
  return with.check(true, own != 0, own);
}

// All values go to the first rank, which hands out the parts. Between groups the
// first ranks swap what their groups have.
Task messages::reduce_scatter(const ReduceScatter& call, Operation& operation) {
  Communicator& group = call.comm.is_inter() ? call.comm.local() : call.comm;
  const Scratch sum(call.with.contribution().count, call.with.datatype.get());
  co_await reduce(operation, group, call.with.contribution(), sum.data(), 0, call.with.reduction());
  const Scratch theirs(call.comm.is_inter() && call.comm.rank() == 0 ? sum.data().count : 0,
                       call.with.datatype.get());
  if (call.comm.is_inter() && call.comm.rank() == 0) {
    operation.send(sum.data(), 0, call.comm);
    operation.receive(theirs.data(), 0, call.comm);
    co_await operation.settled();
  }
  const Data mine = {call.with.recvbuf, static_cast<std::size_t>(call.count_of(call.comm.rank())),
                     call.with.datatype.get()};
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

}  // namespace atl::coll
