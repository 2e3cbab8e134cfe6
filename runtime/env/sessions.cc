#include "runtime/env/sessions.h"

#include <mutex>
#include <string>

#include "runtime/core/process.h"
#include "runtime/core/thread_levels.h"
#include "runtime/env/library.h"
#include "runtime/p2p/send_buffer.h"

namespace atl::env {
namespace {

// Sessions are of libraries that may not know of each other: who asks for nothing
// gets all.
Fault wanted_level(const Info& info, int& level) {
  level = MPI_THREAD_MULTIPLE;
  const std::string* name = info.find(kThreadLevelKey);
  if (name == nullptr) return {};
  if (const auto found = thread_level_of(*name)) {
    level = *found;
    return {};
  }
  return fail(MPI_ERR_INFO_VALUE, "info has %s=%s, which is not a thread level", kThreadLevelKey,
              name->c_str());
}

}  // namespace

// The level is that of a session's own objects. Other sessions may be at work
// meanwhile in other threads, unless there is only one thread.
Fault session_init(const Info& info, Errhandler& errhandler, MPI_Session* session) {
  int level = MPI_THREAD_MULTIPLE;
  if (Fault fault = wanted_level(info, level)) return fault;
  const std::lock_guard guard(process.lock);
  const bool threads = level != MPI_THREAD_SINGLE;
  if (Fault fault = open(threads)) return fault;
  if (threads && !process.threaded) level = process.thread_level;
  Info granted;
  granted.set(kThreadLevelKey, name_of_thread_level(level));
  *session = sessions.create(errhandler, granted);
  return {};
}

Fault session_finalize(MPI_Session* session) {
  Session& ended = *sessions.find(*session);
  if (ended.origin->send_buffer != nullptr) {
    if (Fault fault = p2p::session_flush_buffer(ended)) return fault;
    ended.origin->send_buffer.reset();
  }
  sessions.destroy(ended);
  *session = MPI_SESSION_NULL;
  close();
  return {};
}

}  // namespace atl::env
