// What a blocking call waits for, as the launcher shows it to the user.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "shm/wait_record.h"

namespace atl {

class Communicator;

// Whoever blocks fills in what it knows. The name of the call, the place in the
// program and the time are added when the wait comes to sleep.
struct Awaited {
  const Communicator* communicator = nullptr;
  std::int32_t peer = MPI_PROC_NULL;  // rank in the communicator
  std::int32_t tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;
  std::uint32_t requests = 0;  // how many it waits for; 0: the call has none
  shm::WaitKind kind = shm::WaitKind::other;
  // A collective: its number on the communicator, from 1 on and the same for all
  // members, and the name of the call that began it, where that is not the one
  // that waits. With a peer it waits for that one, without for anybody.
  std::uint32_t collective = 0;
  const char* began = nullptr;
  bool any = false;  // one of the requests is enough

  // Adds each of several requests; null: there is nothing besides the above.
  void (*list)(const void* requests, std::vector<Awaited>& into) = nullptr;
  const void* listed = nullptr;  // its first argument
  // Fills in what has changed since the wait began, when somebody is to see it.
  void (*update)(const void* requests, Awaited& now) = nullptr;
};

}  // namespace atl
