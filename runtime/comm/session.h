// Sessions (MPI 5.0, 11.3). Any thread may create and finalize them: the table has a lock of its
// own.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>

#include "runtime/comm/session_state.h"
#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/hints.h"

namespace atl {

inline constexpr const char* kThreadLevelKey = "thread_level";

class Session {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::session;

  Session(Errhandler& errhandler, const Info& granted);

  const std::shared_ptr<SessionState> session_state = std::make_shared<SessionState>();
  const Info& hints() const { return hints_.in_use(); }

  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) { errhandler_.set(errhandler); }

 private:
  Hints hints_;
  HeldErrhandler errhandler_;
};

// All sessions that a program can name with an MPI_Session.
class Sessions {
 public:
  // Null when `handle` names no session.
  Session* find(MPI_Session handle);

  MPI_Session from_int(int number);

  MPI_Session create(Errhandler& errhandler, const Info& granted);
  void destroy(Session& session);

  static MPI_Session handle(Session& session) {
    return reinterpret_cast<MPI_Session>(HandleTable<Session>::handle(session));
  }

 private:
  std::mutex lock_;  // of the table
  HandleTable<Session> table_;
};

inline Sessions sessions;

template <>
inline MPI_Session handle_from_int(int number) {
  return sessions.from_int(number);
}

namespace session {

Error get_info(Session& session, MPI_Info* info_used);

Error get_num_psets(Session& session, const Info& info, int* npset_names);
Error get_nth_pset(Session& session, const Info& info, int n, int* pset_len, char* pset_name);
Error get_pset_info(Session& session, const char* pset_name, MPI_Info* info);
Error group_from_pset(Session& session, const char* pset_name, MPI_Group* newgroup);

}  // namespace session
}  // namespace atl
