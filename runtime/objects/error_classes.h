// The error classes of the standard (MPI 5.0, 9.4 and 15.3.10).
#pragma once

#include <span>

namespace atl {

struct ErrorClass {
  int value;
  const char* name;     // "MPI_ERR_RANK"
  const char* meaning;  // for MPI_Error_string
};

std::span<const ErrorClass> standard_error_classes();

// Null if the standard has no class with this value.
const ErrorClass* find_error_class(int value);

}  // namespace atl
