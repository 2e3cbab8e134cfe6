#include "runtime/coll/framework/no_memory.h"

#include <mpi.h>

#include <string>

#include "runtime/core/process.h"
#include "runtime/objects/error_handling.h"

namespace atl::coll {

void end_without_memory(const Communicator& comm) {
  const char* call = process.activity.call;
  end_with_error(std::string(call == nullptr ? "a collective operation" : call) +
                     ": the system gives this rank no more memory, and the others count on it",
                 MPI_ERR_NO_MEM, comm.label());
}

}  // namespace atl::coll
