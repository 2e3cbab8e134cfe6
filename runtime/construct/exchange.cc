#include "runtime/construct/exchange.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include "datatype/predefined.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::construct {
namespace {

p2p::Outgoing outgoing(Part part, int to, int tag, const Communicator& comm) {
  return {part.data, part.bytes, datatype::bytes(), to, tag, comm.collective_context()};
}

p2p::Incoming incoming(Part part, int from, int tag, const Communicator& comm) {
  return {part.data, part.bytes, datatype::bytes(), from, tag, comm.collective_context()};
}

}  // namespace

// The negative ones, but for what stands for MPI_ANY_TAG and its neighbour.
int tag_of_program(int tag) { return tag < INT_MAX - 1 ? INT_MIN + tag : tag; }

Fault send(Part part, int peer, int tag, Communicator& comm) {
  if (Fault fault = p2p::engine->connect(comm.world_rank(peer))) return fault;
  p2p::post(
      outgoing(part, peer, tag, comm), comm, [](void*, const p2p::Request&) {}, nullptr);
  return {};
}

Fault receive(Part part, int peer, int tag, Communicator& comm) {
  return p2p::receive(incoming(part, peer, tag, comm), comm, nullptr);
}

Fault swap(Part out, int to, Part in, int from, int tag, Communicator& comm) {
  if (Fault fault = send(out, to, tag, comm)) return fault;
  return receive(in, from, tag, comm);
}

Fault broadcast(Part part, int root, Communicator& comm) {
  if (comm.rank() != root) return receive(part, root, kBroadcastTag, comm);
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == root) continue;
    if (Fault fault = send(part, rank, kBroadcastTag, comm)) return fault;
  }
  return {};
}

namespace {

// Up to so many ranks each tells each other: everybody waits once, which is what
// counts where ranks share cores.
constexpr int kFlatSize = 16;

Fault allgather_flat(const void* mine, std::byte* all, std::size_t bytes, Communicator& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  for (int i = 1; i < size; ++i) {
    if (Fault fault = send({const_cast<void*>(mine), bytes}, (rank + i) % size, kGatherTag, comm)) {
      return fault;
    }
  }
  std::memcpy(all + static_cast<std::size_t>(rank) * bytes, mine, bytes);
  for (int i = 1; i < size; ++i) {
    const int from = (rank + i) % size;
    if (Fault fault = receive({all + static_cast<std::size_t>(from) * bytes, bytes}, from,
                              kGatherTag, comm)) {
      return fault;
    }
  }
  return {};
}

}  // namespace

// In round k each rank passes on what it has to the one 2^k after it: after
// log2(size) rounds it has the blocks of all, its own first, then those of the
// ranks before it.
Fault allgather(const void* mine, void* all, std::size_t bytes, Communicator& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  if (size <= kFlatSize) return allgather_flat(mine, static_cast<std::byte*>(all), bytes, comm);
  const auto at = [bytes](auto* start, int block) {
    return start + static_cast<std::size_t>(block) * bytes;
  };
  std::vector<std::byte> blocks(static_cast<std::size_t>(size) * bytes);
  std::memcpy(blocks.data(), mine, bytes);
  for (int distance = 1; distance < size; distance *= 2) {
    const int count = std::min(distance, size - distance);
    const std::size_t length = static_cast<std::size_t>(count) * bytes;
    const int to = (rank + distance) % size;
    const int from = (rank - distance + size) % size;
    if (Fault fault = swap({blocks.data(), length}, to, {at(blocks.data(), distance), length}, from,
                           kGatherTag, comm)) {
      return fault;
    }
  }
  auto* result = static_cast<std::byte*>(all);
  for (int i = 0; i < size; ++i) {
    std::memcpy(at(result, (rank - i + size) % size), at(blocks.data(), i), bytes);
  }
  return {};
}

}  // namespace atl::construct
