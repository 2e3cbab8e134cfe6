// Short messages between the members of a communicator while they create another one, in the
// collective context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::construct {

// Tags in the collective context; runtime/coll uses the small ones. Messages between two ranks
// stay in order, so one tag for each kind is enough.
inline constexpr int kGatherTag = 101;
inline constexpr int kBroadcastTag = 102;
inline constexpr int kSwapTag = 103;
inline constexpr int kCreateTag = 104;  // on inter-communicators
inline constexpr int kDupTag = 105;
inline constexpr int kDupRemoteTag = 106;  // dup of an inter-communicator: its own context
inline constexpr int kCreationTag = 107;
// 111 and 112: runtime/rma.

// The tag for a call in which the program passes a tag, distinct from those above.
int tag_of_program(int tag);

// The data of a message; `peer` is a rank as world_rank() accepts it.
struct Part {
  void* data;
  std::size_t bytes;
};
// Sends a copy and never waits for the receive, so that all may send before they receive.
Error send(Part part, int peer, int tag, Communicator& comm);
Error receive(Part part, int peer, int tag, Communicator& comm);
// Sends and receives at the same time, whatever the lengths.
Error swap(Part out, int to, Part in, int from, int tag, Communicator& comm);

// Copies the data of `root` to all ranks.
Error broadcast(Part part, int root, Communicator& comm);

// `all` receives `bytes` bytes of each rank of an intra-communicator, by rank.
Error allgather(const void* mine, void* all, std::size_t bytes, Communicator& comm);

template <class T>
Part part_of(T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {&value, sizeof value};
}

template <class T>
Part part_of(std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {values.data(), values.size() * sizeof(T)};
}

template <class T>
Error allgather(const T& mine, std::vector<T>& all, Communicator& comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  all.resize(static_cast<std::size_t>(comm.size()));
  return allgather(&mine, all.data(), sizeof(T), comm);
}

}  // namespace atl::construct
