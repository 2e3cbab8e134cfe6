// What mpiexec says of a whole job when it has ended.
#pragma once

#include <string>

namespace atl::launcher {

// Of a program whose ranks have not called MPI_Init, but which uses that library: in a
// program of another MPI each rank believes to be alone.
std::string remark_on_unused_mpi(const std::string& program, const std::string& library);

}  // namespace atl::launcher
