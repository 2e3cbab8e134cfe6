// What members of a communicator tell each other while they make another: a
// few bytes at a time, in the collective context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::construct {

// Tags in the collective context; runtime/coll has the small ones. Messages
// between two ranks keep their order, so one for each kind is enough.
inline constexpr int kGatherTag = 101;
inline constexpr int kBroadcastTag = 102;
inline constexpr int kSwapTag = 103;
inline constexpr int kCreateTag = 104;  // on inter-communicators
inline constexpr int kDupTag = 105;
inline constexpr int kDupRemoteTag = 106;  // dup of an inter-communicator: its own context
inline constexpr int kLetterTag = 107;

// The tag of a call whose program gives one, apart from those above.
int tag_of_program(int tag);

// A message of the construction; `peer` is a rank as world_rank() takes it.
struct Part {
  void* data;
  std::size_t bytes;
};
// Sends a copy: it never waits for its receive, so that all may send before they receive.
Fault send(Part part, int peer, int tag, Communicator& comm);
Fault receive(Part part, int peer, int tag, Communicator& comm);
// Both at once, however long.
Fault swap(Part out, int to, Part in, int from, int tag, Communicator& comm);

// What `root` has, everybody has.
Fault broadcast(Part part, int root, Communicator& comm);

// all: `bytes` of each rank of an intra-communicator, by rank.
Fault allgather(const void* mine, void* all, std::size_t bytes, Communicator& comm);

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
Fault allgather(const T& mine, std::vector<T>& all, Communicator& comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  all.resize(static_cast<std::size_t>(comm.size()));
  return allgather(&mine, all.data(), sizeof(T), comm);
}

}  // namespace atl::construct
