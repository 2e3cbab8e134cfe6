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

// Negative tags, except for the two highest, which would become MPI_ANY_TAG and its neighbour.
int tag_of_program(int tag) { return tag < INT_MAX - 1 ? INT_MIN + tag : tag; }

Error send(Part part, int peer, int tag, Communicator& comm) {
  if (Error error = p2p::engine->connect(comm.world_rank(peer))) return error;
  p2p::post(
      outgoing(part, peer, tag, comm), comm, [](void*, const p2p::Request&) {}, nullptr);
  return {};
}

Error receive(Part part, int peer, int tag, Communicator& comm) {
  return p2p::receive(incoming(part, peer, tag, comm), comm, nullptr);
}

Error swap(Part out, int to, Part in, int from, int tag, Communicator& comm) {
  if (Error error = send(out, to, tag, comm)) return error;
  return receive(in, from, tag, comm);
}

Error broadcast(Part part, int root, Communicator& comm) {
  if (comm.rank() != root) return receive(part, root, kBroadcastTag, comm);
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (rank == root) continue;
    if (Error error = send(part, rank, kBroadcastTag, comm)) return error;
  }
  return {};
}

namespace {

// Up to this number of ranks each rank sends to each other: all block only once, which is what
// counts where ranks share cores.
constexpr int kFlatSize = 16;

Error allgather_flat(const void* mine, std::byte* all, std::size_t bytes, Communicator& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  for (int i = 1; i < size; ++i) {
    if (Error error = send({const_cast<void*>(mine), bytes}, (rank + i) % size, kGatherTag, comm)) {
      return error;
    }
  }
  std::memcpy(all + static_cast<std::size_t>(rank) * bytes, mine, bytes);
  for (int i = 1; i < size; ++i) {
    const int from = (rank + i) % size;
    if (Error error = receive({all + static_cast<std::size_t>(from) * bytes, bytes}, from,
                              kGatherTag, comm)) {
      return error;
    }
  }
  return {};
}

}  // namespace

// In round k each rank sends what it has to the rank 2^k after it: after log2(size) rounds it has
// the blocks of all ranks, its own first, then those of the ranks before it.
Error allgather(const void* mine, void* all, std::size_t bytes, Communicator& comm) {
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
    if (Error error = swap({blocks.data(), length}, to, {at(blocks.data(), distance), length}, from,
                           kGatherTag, comm)) {
      return error;
    }
  }
  auto* result = static_cast<std::byte*>(all);
  for (int i = 0; i < size; ++i) {
    std::memcpy(at(result, (rank - i + size) % size), at(blocks.data(), i), bytes);
  }
  return {};
}

}  // namespace atl::construct
