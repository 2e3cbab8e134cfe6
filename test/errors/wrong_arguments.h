// Right and wrong arguments of each kind, for the calls that wrong_arguments.py
// writes.
#pragma once

#include <mpi.h>

#include <vector>

#include "test/errors/expect.h"

namespace errors {

// Handles of one kind, or keyvals.
template <class Handle>
struct Kind {
  int error_class;
  Handle good;
  std::vector<Handle> bad = {};
};

inline Kind<MPI_Comm> comms{MPI_ERR_COMM, MPI_COMM_SELF};
inline Kind<MPI_Group> groups{MPI_ERR_GROUP, MPI_GROUP_EMPTY};
inline Kind<MPI_Datatype> types{MPI_ERR_TYPE, MPI_INT};
inline Kind<MPI_Op> ops{MPI_ERR_OP, MPI_SUM};
inline Kind<MPI_Errhandler> errhandlers{MPI_ERR_ERRHANDLER, MPI_ERRORS_RETURN};
inline Kind<MPI_Info> infos{MPI_ERR_INFO, MPI_INFO_NULL}, hints{MPI_ERR_INFO, MPI_INFO_NULL};
inline Kind<MPI_Session> sessions{MPI_ERR_SESSION, MPI_SESSION_NULL};
inline Kind<MPI_Win> wins{MPI_ERR_WIN, MPI_WIN_NULL};
inline Kind<MPI_File> files{MPI_ERR_FILE, MPI_FILE_NULL};
inline Kind<int> comm_keyvals{MPI_ERR_KEYVAL, 0}, type_keyvals{MPI_ERR_KEYVAL, 0},
    win_keyvals{MPI_ERR_KEYVAL, 0};

// An address of whatever is wanted, also of a string; nothing is to be written there.
struct Room {
  template <class T>
  operator T*() const {
    return reinterpret_cast<T*>(bytes);
  }
  alignas(16) static inline unsigned char bytes[4096];
};
inline constexpr Room room;

// The outcome of a call with one wrong argument.
void refused(const char* call, const char* argument, int error_class, int code);

// Generated.
void call_everything();

}  // namespace errors
