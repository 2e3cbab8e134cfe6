// Files (MPI 5.0, chapter 14), as far as they are like other objects: an error
// handler hangs on them.
#pragma once

#include <mpi.h>

#include "runtime/objects/errhandler.h"

namespace atl {

class File {
 public:
  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) { errhandler_.set(errhandler); }

 private:
  HeldErrhandler errhandler_{errors_return()};
};

// What MPI_FILE_NULL names: its error handler gets the errors of calls that have no
// file, and is what files begin with (14.7).
inline File& no_file() {
  static File file;
  return file;
}

// Null when `handle` is none.
inline File* find_file(MPI_File handle) { return handle == MPI_FILE_NULL ? &no_file() : nullptr; }

inline MPI_File handle_of(File&) { return MPI_FILE_NULL; }

}  // namespace atl
