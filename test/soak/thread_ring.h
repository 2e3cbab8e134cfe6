// Threads of all ranks in one ring: each sends to the next by the communicator of the thread
// that receives, and nobody waits before everything is begun.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include "test/pattern.h"

namespace soak {

struct ThreadRing {
  std::vector<MPI_Comm> comms;  // of the threads, each with all ranks
  std::uint64_t seed = 0;
};

// The part of one thread. Returns how many messages it sent.
int play_thread_ring(const ThreadRing& ring, int thread, long round, check::Random& own);

}  // namespace soak
