// What a rank is doing at this moment. It lies in the rank's private memory, so that updates cost
// next to nothing. Processes that may debug the rank read it with process_vm_readv, at
// RankSlot::activity_address.
#pragma once

#include <cstdint>

namespace atl::shm {

// Written by the thread that is in MPI. A reader may see fields of different moments.
struct Activity {
  const char* call = nullptr;          // name of the MPI function being executed; null: none
  const void* site = nullptr;          // return address of that call, or of the last one
  std::uint64_t messages = 0;          // point-to-point messages sent
  std::uint64_t bytes = 0;             // in those messages
  std::uint64_t unexpected = 0;        // unexpected messages now queued
  std::uint64_t unexpected_bytes = 0;  // of memory that they occupy
};

}  // namespace atl::shm
