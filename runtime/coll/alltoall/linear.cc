#include <vector>

#include "runtime/coll/alltoall/alltoall.h"
#include "runtime/coll/framework/linear_exchange.h"

namespace atl::coll::messages {
namespace {

// Copies each block before it is sent, since the block received from the same rank overwrites it.
Task exchange_in_place(Operation& operation, Communicator& comm, const Blocks& blocks) {
  std::vector<Scratch> copies;
  copies.reserve(static_cast<std::size_t>(comm.size()));
  for (int i = 1; i < comm.size(); ++i) {
    const int peer = (comm.rank() + i) % comm.size();
    const Data block = blocks[peer];
    copies.emplace_back(block.count, block.type);
    copy(block, copies.back().data());
    operation.receive(block, peer, comm);
    operation.send(copies.back().data(), peer, comm);
  }
  co_await operation.settled();
}

}  // namespace

Task linear_alltoall(const Alltoall& call, Operation& operation) {
  if (call.out.in_place()) {
    co_await exchange_in_place(operation, call.comm, call.in);
    co_return;
  }
  begin_exchange(
      operation, call.comm, [&](int rank) { return call.out[rank]; },
      [&](int rank) { return call.in[rank]; });
  if (!call.comm.is_inter()) copy(call.out[call.comm.rank()], call.in[call.comm.rank()]);
  co_await operation.settled();
}

}  // namespace atl::coll::messages
