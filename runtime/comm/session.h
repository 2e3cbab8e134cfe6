// Sessions (MPI 5.0, 11.3). They come and go in any thread: the table has a lock
// of its own.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>

#include "runtime/comm/origin.h"
#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/hints.h"

namespace atl {

inline constexpr const char* kThreadLevelKey = "thread_level";

class Session {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::session;

  Session(Errhandler& errhandler, const Info& granted);

  const std::shared_ptr<Origin> origin = std::make_shared<Origin>();
  const Info& hints() const { return hints_.in_use(); }

  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) { errhandler_.set(errhandler); }

 private:
  Hints hints_;
  HeldErrhandler errhandler_;
};

// Everything a program can name with an MPI_Session.
class Sessions {
 public:
  // Null when `handle` is none.
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

Fault get_info(Session& session, MPI_Info* info_used);

Fault get_num_psets(Session& session, const Info& info, int* npset_names);
Fault get_nth_pset(Session& session, const Info& info, int n, int* pset_len, char* pset_name);
Fault get_pset_info(Session& session, const char* pset_name, MPI_Info* info);
Fault group_from_pset(Session& session, const char* pset_name, MPI_Group* newgroup);

}  // namespace session
}  // namespace atl
