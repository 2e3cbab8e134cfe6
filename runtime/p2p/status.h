// Statuses (MPI 5.0, 3.2.5). The ABI leaves five ints to the implementation:
//   MPI_internal[0], [1]   bytes received, low and high half
//   MPI_internal[2]        1 when the operation was cancelled
#pragma once

#include <mpi.h>

#include <cstdint>

#include "runtime/core/error.h"
#include "runtime/p2p/request.h"

namespace atl::p2p {

// These do not write MPI_ERROR, which the standard reserves for calls that complete several
// requests. A null status is MPI_STATUS_IGNORE.
inline void set_bytes(MPI_Status& status, std::uint64_t bytes) {
  status.MPI_internal[0] = static_cast<int>(static_cast<std::uint32_t>(bytes));
  status.MPI_internal[1] = static_cast<int>(static_cast<std::uint32_t>(bytes >> 32));
}

inline std::uint64_t bytes_of(const MPI_Status& status) {
  return static_cast<std::uint32_t>(status.MPI_internal[0]) |
         std::uint64_t{static_cast<std::uint32_t>(status.MPI_internal[1])} << 32;
}

inline void set_status(MPI_Status* status, int source, int tag, std::uint64_t bytes,
                       bool cancelled = false) {
  if (status == nullptr) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  set_bytes(*status, bytes);
  status->MPI_internal[2] = cancelled ? 1 : 0;
}

// The empty status, of an inactive or null request (MPI 5.0, 3.7.3).
inline void set_empty(MPI_Status* status) {
  if (status == nullptr) return;
  set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  status->MPI_ERROR = MPI_SUCCESS;
}

// The status of communication with MPI_PROC_NULL (MPI 5.0, 3.10).
inline void set_from_nobody(MPI_Status* status) {
  set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

Error get_count(const MPI_Status* status, const Datatype& datatype, MPI_Count* count);
Error get_elements(const MPI_Status* status, const Datatype& datatype, MPI_Count* count);
Error status_set_elements(MPI_Status* status, const Datatype& datatype, MPI_Count count);
Error test_cancelled(const MPI_Status* status, int* flag);
Error status_set_cancelled(MPI_Status* status, int flag);
Error status_get_source(const MPI_Status* status, int* source);
Error status_get_tag(const MPI_Status* status, int* tag);
Error status_get_error(const MPI_Status* status, int* error);
Error status_set_source(MPI_Status* status, int source);
Error status_set_tag(MPI_Status* status, int tag);
Error status_set_error(MPI_Status* status, int error);

}  // namespace atl::p2p
