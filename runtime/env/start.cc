// From MPI_Init to MPI_Finalize.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "runtime/coll/calls.h"
#include "runtime/coll/launch.h"
#include "runtime/comm/attributes.h"
#include "runtime/comm/raise.h"
#include "runtime/construct/contexts.h"
#include "runtime/core/process.h"
#include "runtime/env/env.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"

namespace atl::env {
namespace {

// Ends what was sent: messages still on their way out need this rank's help.
void flush_sends() {
  p2p::block_until([] { return p2p::engine->idle(); }, {});
}

}  // namespace

Fault init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  return init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

Fault init_thread(int*, char***, int required, int* provided) {
  if (process.phase != Phase::before_init) {
    return fail(MPI_ERR_OTHER, process.phase == Phase::running
                                   ? "MPI is initialized already"
                                   : "MPI was finalized and cannot start again");
  }
  if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE) {
    return fail(MPI_ERR_ARG, "required=%d is not a thread level", required);
  }
  if (Fault fault = join_job()) return fault;
  communicators.make_predefined(process.size, process.rank);
  comm::make_standard_attributes();
  p2p::engine = std::make_unique<p2p::Engine>();
  forget_context = [](shm::ContextId context) {
    p2p::engine->contexts.drop(context);
    p2p::engine->contexts.drop(context | Communicator::kCollective);
  };
  process.thread_level = required;
  process.threaded = required == MPI_THREAD_MULTIPLE;
  process.policy.shared_bell = process.threaded;
  if (process.wrapped) process.policy.longest_sleep_ns = 1000000000;  // to notice mpiexec's death
  *provided = required;
  process.enter(Phase::running);
  return {};
}

Fault finalize() {
  // First of all, while everything still works (MPI 5.0, 11.2.4).
  if (Fault fault = communicators.self().attributes.remove_all(MPI_COMM_SELF)) return fault;
  flush_sends();
  // Nobody leaves while others may still copy from its memory.
  if (Fault fault = coll::run(coll::Barrier(communicators.world()))) return fault;
  flush_sends();
  construct::return_offers();
  process.enter(Phase::finalized);
  // Pairs with the launcher's acquire when this process has ended.
  process.slot().life.store_release(static_cast<std::uint32_t>(shm::Life::finalized));
  return {};
}

Fault abort(Communicator&, int errorcode) { abort_job(errorcode); }

Fault initialized(int* flag) {
  *flag = process.phase != Phase::before_init;
  return {};
}

Fault finalized(int* flag) {
  *flag = process.phase == Phase::finalized;
  return {};
}

Fault query_thread(int* provided) {
  *provided = process.thread_level;
  return {};
}

Fault is_thread_main(int* flag) {
  *flag = process.main_thread == static_cast<int>(::syscall(SYS_gettid));
  return {};
}

}  // namespace atl::env
