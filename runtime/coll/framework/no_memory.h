// Handles std::bad_alloc during a collective operation.
#pragma once

#include <new>

#include "runtime/comm/communicator.h"

namespace atl::coll {

[[noreturn]] void end_without_memory(const Communicator& comm);

// Runs `wait`. When progress in it runs out of memory (std::bad_alloc) the job ends, whatever the
// error handler: the other members wait for this rank's part of the operation.
template <class Wait>
void wait_to_the_end(const Communicator& comm, Wait wait) {
  try {
    wait();
  } catch (const std::bad_alloc&) {
    end_without_memory(comm);
  }
}

}  // namespace atl::coll
