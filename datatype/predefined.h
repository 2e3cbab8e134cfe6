// The predefined datatypes, by the value their handle has in the standard ABI.
#pragma once

#include <cstdint>

#include "datatype/datatype.h"

namespace atl::datatype {

// The ABI keeps predefined datatypes in [kFirst, kEnd).
inline constexpr std::uintptr_t kFirstPredefined = 512;
inline constexpr std::uintptr_t kEndPredefined = 768;

// Null for a value that names no datatype here (MPI_DATATYPE_NULL, or a type
// that this platform does not have, such as MPI_REAL2).
const Datatype* predefined(std::uintptr_t handle);

}  // namespace atl::datatype
