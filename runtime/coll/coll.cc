// Barrier and broadcast on messages, in the communicator's collective context.
#include "runtime/coll/coll.h"

#include "datatype/predefined.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/completion.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::coll {
namespace {

// Tags in the collective context. Messages between two ranks keep their order,
// so one for each kind of operation is enough.
constexpr int kBarrierTag = 1;
constexpr int kBcastTag = 2;

Fault send(const void* buffer, std::size_t count, const Datatype& type, int to, int tag,
           Communicator& comm) {
  return p2p::send_to({buffer, count, type, to, tag, comm.collective_context()}, comm);
}

Fault receive(void* buffer, std::size_t count, const Datatype& type, int from, int tag,
              Communicator& comm) {
  return p2p::receive({buffer, count, type, from, tag, comm.collective_context()}, comm, nullptr);
}

// The first ranks of both sides meet when each knows that its side is there.
Fault barrier_inter(Communicator& comm) {
  if (Fault fault = barrier(comm.local())) return fault;
  if (comm.rank() == 0) {
    if (Fault fault = send(nullptr, 0, datatype::bytes(), 0, kBarrierTag, comm)) return fault;
    if (Fault fault = receive(nullptr, 0, datatype::bytes(), 0, kBarrierTag, comm)) return fault;
  }
  return barrier(comm.local());
}

// From the root to the first rank of the other side, and there to all.
Fault bcast_inter(void* buffer, MPI_Count count, const Datatype& datatype, int root,
                  Communicator& comm) {
  const auto elements = static_cast<std::size_t>(count);
  if (root == MPI_PROC_NULL) return {};
  if (root == MPI_ROOT) return send(buffer, elements, datatype, 0, kBcastTag, comm);
  if (comm.rank() == 0) {
    if (Fault fault = receive(buffer, elements, datatype, root, kBcastTag, comm)) return fault;
  }
  return bcast(buffer, count, datatype, 0, comm.local());
}

}  // namespace

// Dissemination: in round k each rank tells the one 2^k after it and hears from
// the one 2^k before it; after log2(size) rounds it has heard from all.
Fault barrier(Communicator& comm) {
  if (comm.is_inter()) return barrier_inter(comm);
  const int size = comm.size();
  const int rank = comm.rank();
  for (int distance = 1; distance < size; distance *= 2) {
    const int to = (rank + distance) % size;
    const int from = (rank - distance + size) % size;
    if (Fault fault = send(nullptr, 0, datatype::bytes(), to, kBarrierTag, comm)) return fault;
    if (Fault fault = receive(nullptr, 0, datatype::bytes(), from, kBarrierTag, comm)) {
      return fault;
    }
  }
  return {};
}

// A binomial tree: whoever has the data passes it on to the rank whose number,
// counted from the root, differs in the next lower bit.
Fault bcast(void* buffer, MPI_Count count, const Datatype& datatype, int root, Communicator& comm) {
  if (comm.is_inter()) return bcast_inter(buffer, count, datatype, root, comm);
  const int size = comm.size();
  const int number = (comm.rank() - root + size) % size;
  const auto rank_of = [=](int n) { return (n + root) % size; };
  const auto elements = static_cast<std::size_t>(count);
  int bit = 1;
  for (; bit < size; bit *= 2) {
    if (number & bit) {
      if (Fault fault =
              receive(buffer, elements, datatype, rank_of(number - bit), kBcastTag, comm)) {
        return fault;
      }
      break;
    }
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (number + bit >= size) continue;
    if (Fault fault = send(buffer, elements, datatype, rank_of(number + bit), kBcastTag, comm)) {
      return fault;
    }
  }
  return {};
}

}  // namespace atl::coll
