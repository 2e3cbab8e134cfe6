#include "runtime/env/sessions.h"

#include <mutex>
#include <string>

#include "runtime/core/process.h"
#include "runtime/core/thread_levels.h"
#include "runtime/env/library.h"
#include "runtime/p2p/attached_buffer.h"

namespace atl::env {
namespace {

// Independent libraries may use sessions in different threads, so the default is
// MPI_THREAD_MULTIPLE.
Error wanted_level(const Info& info, int& level) {
  level = MPI_THREAD_MULTIPLE;
  const std::string* name = info.find(kThreadLevelKey);
  if (name == nullptr) return {};
  if (const auto found = thread_level_of(*name)) {
    level = *found;
    return {};
  }
  return make_error(MPI_ERR_INFO_VALUE, "info has %s=%s, which is not a thread level",
                    kThreadLevelKey, name->c_str());
}

}  // namespace

// The level applies only to the session's own objects. Other threads may use other sessions at the
// same time, so every level but MPI_THREAD_SINGLE, with its only thread, needs the lock.
Error session_init(const Info& info, Errhandler& errhandler, MPI_Session* session) {
  int level = MPI_THREAD_MULTIPLE;
  if (Error error = wanted_level(info, level)) return error;
  const std::lock_guard guard(process.lock);
  const bool threads = level != MPI_THREAD_SINGLE;
  if (Error error = open(threads)) return error;
  if (threads && !process.threaded) level = process.thread_level;
  Info granted;
  granted.set(kThreadLevelKey, name_of_thread_level(level));
  *session = sessions.create(errhandler, granted);
  return {};
}

Error session_finalize(MPI_Session* session) {
  Session& ended = *sessions.find(*session);
  Extensions& extensions = ended.session_state->extensions;
  if (extensions.get(p2p::kAttachedBuffer) != nullptr) {
    if (Error error = p2p::session_flush_buffer(ended)) return error;
    extensions.clear(p2p::kAttachedBuffer);
  }
  sessions.destroy(ended);
  *session = MPI_SESSION_NULL;
  close();
  return {};
}

}  // namespace atl::env
