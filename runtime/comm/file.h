// Files (MPI 5.0, chapter 14), reduced to what they share with other objects: an error handler.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/core/handle_table.h"
#include "runtime/objects/errhandler.h"

namespace atl {

class File {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::file;

  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) { errhandler_.set(errhandler); }

 private:
  HeldErrhandler errhandler_{errors_return()};
};

inline HandleTable<File> files;

// The object that MPI_FILE_NULL names: its error handler gets the errors of calls that have no
// file, and is the initial error handler of files (14.7).
inline File& no_file() {
  static File file;
  return file;
}

// Null when `handle` names no file.
inline File* find_file(MPI_File handle) {
  if (handle == MPI_FILE_NULL) return &no_file();
  return files.find(reinterpret_cast<std::uintptr_t>(handle));
}

inline MPI_File handle_of(File& file) {
  if (&file == &no_file()) return MPI_FILE_NULL;
  return reinterpret_cast<MPI_File>(HandleTable<File>::handle(file));
}

template <>
inline MPI_File handle_from_int(int number) {
  return reinterpret_cast<MPI_File>(files.from_int(number));
}

}  // namespace atl
