// What mpiexec says of a whole job when it has ended.
#pragma once

#include <string>

namespace atl::launcher {

// Of a program of MPI whose ranks have not called MPI_Init: in that of another MPI
// each rank believes to be alone. Empty when the program has no MPI.
std::string remark_on_unused_mpi(const std::string& program, const std::string& file);

}  // namespace atl::launcher
