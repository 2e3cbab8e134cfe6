// The world model: from MPI_Init to MPI_Finalize (MPI 5.0, 11.2).
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <vector>

#include "runtime/coll/calls.h"
#include "runtime/coll/framework/collective_settings.h"
#include "runtime/coll/framework/start.h"
#include "runtime/coll/selection_text.h"
#include "runtime/comm/raise.h"
#include "runtime/construct/exchange.h"
#include "runtime/core/debugger.h"
#include "runtime/core/process.h"
#include "runtime/core/thread_levels.h"
#include "runtime/env/env.h"
#include "runtime/env/library.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/message_settings.h"

namespace atl::env {

Error init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  return init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

Error init_thread(int*, char***, int required, int* provided) {
  const std::lock_guard guard(process.lock);  // other threads may use sessions
  if (process.world != Phase::before_init) {
    return make_error(MPI_ERR_OTHER, process.world == Phase::running
                                         ? "MPI is initialized already"
                                         : "MPI was finalized and cannot start again");
  }
  required = std::max(required, thread_level_at_start().value_or(MPI_THREAD_SINGLE));
  const bool threads = required == MPI_THREAD_MULTIPLE;
  if (Error error = open(threads)) return error;
  if (Error error = coll::check_wanted_algorithms()) {
    close();
    return error;
  }
  communicators.open_world();
  if (coll::settings.show_algorithms && communicators.world()->rank() == 0) {
    std::fputs(coll::algorithm_table().c_str(), stdout);
  }
  process.main_thread = static_cast<int>(::syscall(SYS_gettid));
  process.thread_level = threads && !process.threaded ? MPI_THREAD_SERIALIZED : required;
  process.world = Phase::running;
  *provided = process.thread_level;
  wait_for_debugger();
  return {};
}

namespace {

// A barrier. After a reported mismatch of collectives these fail, so it uses messages instead.
Error wait_for_all(Communicator& world) {
  if (!coll::calls_mismatch(world)) return coll::run(coll::Barrier(world));
  std::vector<char> everybody;
  return construct::allgather(char{}, everybody, world);
}

}  // namespace

Error finalize() {
  if (process.phase == Phase::forked) return {};  // the rank goes on
  if (process.world != Phase::running) {
    return make_error(MPI_ERR_OTHER, process.world == Phase::before_init
                                         ? "MPI_Init was not called: there are only sessions"
                                         : "MPI was finalized already");
  }
  // The callbacks must run first, while all of MPI is available (MPI 5.0, 11.2.4).
  if (Error error = communicators.self()->attributes.remove_all(MPI_COMM_SELF)) return error;
  flush_sends();
  // No rank may end while other ranks may copy from its memory.
  if (Error error = wait_for_all(*communicators.world())) return error;
  if (p2p::settings.show_protocols && communicators.world()->rank() == 0) {
    std::fputs(p2p::protocol_table().c_str(), stdout);
  }
  communicators.close_world();
  process.world = Phase::finalized;
  close();
  return {};
}

Error abort(Communicator&, int errorcode) { abort_job(errorcode); }

Error initialized(int* flag) {
  *flag = process.world != Phase::before_init;
  return {};
}

Error finalized(int* flag) {
  *flag = process.world == Phase::finalized;
  return {};
}

Error query_thread(int* provided) {
  *provided = process.thread_level;
  return {};
}

Error is_thread_main(int* flag) {
  *flag = is_main_thread();
  return {};
}

}  // namespace atl::env
