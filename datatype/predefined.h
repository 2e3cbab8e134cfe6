// The predefined datatypes, by the value their handle has in the standard ABI.
#pragma once

#include <array>
#include <cstdint>

#include "datatype/datatype.h"

namespace atl::datatype {

// The ABI keeps predefined datatypes in [kFirstPredefined, kEndPredefined).
inline constexpr std::uintptr_t kFirstPredefined = 512;
inline constexpr std::uintptr_t kEndPredefined = 768;

// MPI-1's markers MPI_LB and MPI_UB have no handles in the ABI; these are two unused values.
inline constexpr std::uintptr_t kLowerBoundMarker = 517;
inline constexpr std::uintptr_t kUpperBoundMarker = 518;

// Filled before main().
using PredefinedTable = std::array<Datatype*, kEndPredefined - kFirstPredefined>;
extern const PredefinedTable kPredefined;

// Null for a value that names no datatype (MPI_DATATYPE_NULL among them).
inline Datatype* predefined(std::uintptr_t handle) {
  const std::uintptr_t index = handle - kFirstPredefined;  // wraps for smaller handles
  return index < kPredefined.size() ? kPredefined[index] : nullptr;
}

// MPI_BYTE.
const Datatype& bytes();

}  // namespace atl::datatype
