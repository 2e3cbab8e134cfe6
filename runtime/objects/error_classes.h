// Error classes (MPI 5.0, 9.4).
#pragma once

namespace atl {

// The standard's name of an error class, such as "MPI_ERR_RANK"; null if none.
const char* error_class_name(int error_class);

}  // namespace atl
