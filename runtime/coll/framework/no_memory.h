// What happens when there is no memory in the midst of a collective operation.
#pragma once

#include <new>

#include "runtime/comm/communicator.h"

namespace atl::coll {

[[noreturn]] void end_without_memory(const Communicator& comm);

// Runs `wait`. When there is no memory for what comes meanwhile (std::bad_alloc) the job ends,
// whatever the error handler: the others count on this rank's part, which cannot be taken back.
template <class Wait>
void wait_to_the_end(const Communicator& comm, Wait wait) {
  try {
    wait();
  } catch (const std::bad_alloc&) {
    end_without_memory(comm);
  }
}

}  // namespace atl::coll
