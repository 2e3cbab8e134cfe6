// Which MPI library a program uses.
#pragma once

#include <sys/types.h>

#include <string>

namespace atl::launcher {

// The name of the MPI library that the program's file requires, "libmpi.so.40"; empty when
// the file names none, or is no program.
inline constexpr const char* kOwnLibrary = "libmpi_abi.so.1";
std::string mpi_library_of(const std::string& file);

// The file name of the MPI library that a running process has loaded; empty when it has
// none. For programs that an interpreter runs.
std::string mpi_library_in(pid_t process);

}  // namespace atl::launcher
