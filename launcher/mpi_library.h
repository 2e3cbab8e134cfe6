// Which MPI library a program was linked with.
#pragma once

#include <string>

namespace atl::launcher {

// The name in the file under which the program looks for its MPI library,
// "libmpi.so.40"; empty when the file names none, or is no program.
inline constexpr const char* kOwnLibrary = "libmpi_abi.so.1";
std::string mpi_library_of(const std::string& file);

}  // namespace atl::launcher
