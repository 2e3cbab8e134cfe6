// What a rank does at this moment. It lies in the rank's own memory, so that it
// costs next to nothing, and is read from there (process_vm_readv) by those who
// may debug the rank: RankSlot::activity_address says where.
#pragma once

#include <cstdint>

namespace atl::shm {

// Written by the thread that is in MPI. A reader may see a mixture of moments.
struct Activity {
  const char* call = nullptr;          // the MPI function being executed; null: none
  const void* site = nullptr;          // where that call, or the last one, returns to
  std::uint64_t messages = 0;          // sent, point-to-point
  std::uint64_t bytes = 0;             // of these
  std::uint64_t unexpected = 0;        // messages that have come and wait for a receive
  std::uint64_t unexpected_bytes = 0;  // of memory that they take up
};

}  // namespace atl::shm
