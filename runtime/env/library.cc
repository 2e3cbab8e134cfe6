#include "runtime/env/library.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "base/check.h"
#include "runtime/coll/framework/collective_settings.h"
#include "runtime/comm/communicator.h"
#include "runtime/comm/standard_attributes.h"
#include "runtime/construct/contexts.h"
#include "runtime/core/process.h"
#include "runtime/env/leftovers.h"
#include "runtime/objects/error_handling.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/message_settings.h"
#include "runtime/rma/copy_service.h"
#include "runtime/rma/window_queries.h"

namespace atl::env {
namespace {

void set_life(shm::Life life) {
  // Pairs with the launcher's load_acquire of `life`, for instance in read_state().
  process.slot().life.store_release(static_cast<std::uint32_t>(life));
}

Error start_first() {
  if (Error error = join_job()) return error;
  p2p::read_settings();
  coll::read_settings();
  check_handler = end_with_failed_check;
  communicators.make_predefined(process.size, process.rank);
  comm::make_standard_attributes();
  rma::make_window_attributes();
  forget_context = [](shm::ContextId context) {
    p2p::engine->drop(context);
    p2p::engine->drop(context | Communicator::kCollective);
  };
  if (process.wrapped) process.policy.longest_sleep_ns = 1000000000;  // to notice mpiexec's end
  p2p::engine = std::make_unique<p2p::Engine>();
  return {};
}

Error start() {
  if (p2p::engine == nullptr) {
    if (Error error = start_first()) return error;
  } else {
    set_life(process.world == Phase::finalized ? shm::Life::sessions : shm::Life::initialized);
  }
  return {};
}

void let_threads_in(bool threads) {
  process.threaded = threads;
  process.policy.shared_bell = threads;
  process.enter(Phase::running);
}

// Whether no other thread can be in an MPI call without the lock: only this thread may have made
// calls.
bool nobody_is_inside() {
  if (process.callbacks != 0) return false;
  if (process.world != Phase::running || process.thread_level == MPI_THREAD_SINGLE) return true;
  return process.thread_level == MPI_THREAD_FUNNELED && is_main_thread();
}

// Releases the communicators that the program has not freed. Operations that use one keep it alive.
void end_communicators() {
  std::vector<Communicator*> left;
  communicators.for_each_made([&](Communicator& one) {
    if (!one.freed && !one.is_part) left.push_back(&one);
  });
  for (Communicator* one : left) {
    one->freed = true;
    release(*one);
  }
}

}  // namespace

Error open(bool threads) {
  if (process.phase == Phase::forked) return make_error(MPI_ERR_OTHER, "%s", kInForkedProcess);
  if (process.users == 0) {
    if (Error error = start()) return error;
    let_threads_in(threads);
  } else if (threads && !process.threaded && nobody_is_inside()) {
    let_threads_in(true);
  }
  ++process.users;
  return {};
}

void close() {
  if (--process.users != 0) {
    if (process.world == Phase::finalized) set_life(shm::Life::sessions);
    return;
  }
  flush_sends();
  report_leftovers();
  end_communicators();
  construct::return_reservations();
  rma::stop_copy_service();
  process.enter(Phase::finalized);
  set_life(shm::Life::finalized);
}

void flush_sends() {
  p2p::block_until([] { return p2p::engine->idle(); }, {});
}

bool is_main_thread() { return process.main_thread == static_cast<int>(::syscall(SYS_gettid)); }

}  // namespace atl::env
