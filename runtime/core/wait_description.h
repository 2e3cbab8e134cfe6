// What a blocking call waits for, as the launcher shows it to the user.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "shm/wait_record.h"

namespace atl {

class Communicator;

// The blocking call fills in what it knows. BlockedWait adds the name of the call, its place in
// the program and the time when it sleeps.
struct WaitDescription {
  const Communicator* communicator = nullptr;
  std::int32_t peer = MPI_PROC_NULL;  // rank in the communicator; of a lock: its target
  std::int32_t tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;
  std::uint32_t requests = 0;  // number of requests that it waits for; 0: the call has none
  shm::WaitKind kind = shm::WaitKind::other;
  // A collective: its number on the communicator, from 1 on and the same for all members, and the
  // name of the call that began it, if that is not the call that waits. With a peer it waits for
  // that rank, without for any.
  std::uint32_t collective = 0;
  const char* began = nullptr;
  bool any = false;  // one of the requests is enough
  // A lock: the rank in the communicator that holds it (-1: not known, or nobody), and how.
  std::int32_t holder = -1;
  shm::LockMode wanted = shm::LockMode::none;
  shm::LockMode held = shm::LockMode::none;

  // Adds each of several requests to `into`; null: the fields above are complete.
  void (*list)(const void* requests, std::vector<WaitDescription>& into) = nullptr;
  const void* listed = nullptr;  // its first argument
  // Updates what has changed since the wait began, before it is published.
  void (*update)(const void* requests, WaitDescription& now) = nullptr;
};

}  // namespace atl
