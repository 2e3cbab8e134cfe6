#include "runtime/p2p/status.h"

namespace atl::p2p {

Error get_count(const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  const std::uint64_t bytes = bytes_of(*status);
  const std::size_t size = datatype.size();
  if (size == 0) {
    *count = bytes == 0 ? 0 : MPI_UNDEFINED;
  } else {
    *count = bytes % size == 0 ? static_cast<MPI_Count>(bytes / size) : MPI_UNDEFINED;
  }
  return {};
}

Error get_elements(const MPI_Status* status, const Datatype& datatype, MPI_Count* count) {
  const std::uint64_t bytes = bytes_of(*status);
  const std::size_t values = datatype.basic_values_in(bytes);
  // A basic value that was received in part is not an element.
  *count = datatype.bytes_of_basic_values(values) == bytes ? static_cast<MPI_Count>(values)
                                                           : MPI_UNDEFINED;
  return {};
}

Error status_set_elements(MPI_Status* status, const Datatype& datatype, MPI_Count count) {
  set_bytes(*status, datatype.bytes_of_basic_values(static_cast<std::size_t>(count)));
  return {};
}

Error test_cancelled(const MPI_Status* status, int* flag) {
  *flag = status->MPI_internal[2] != 0;
  return {};
}

Error status_set_cancelled(MPI_Status* status, int flag) {
  status->MPI_internal[2] = flag != 0;
  return {};
}

Error status_get_source(const MPI_Status* status, int* source) {
  *source = status->MPI_SOURCE;
  return {};
}

Error status_get_tag(const MPI_Status* status, int* tag) {
  *tag = status->MPI_TAG;
  return {};
}

Error status_get_error(const MPI_Status* status, int* error) {
  *error = status->MPI_ERROR;
  return {};
}

Error status_set_source(MPI_Status* status, int source) {
  status->MPI_SOURCE = source;
  return {};
}

Error status_set_tag(MPI_Status* status, int tag) {
  status->MPI_TAG = tag;
  return {};
}

Error status_set_error(MPI_Status* status, int error) {
  status->MPI_ERROR = error;
  return {};
}

}  // namespace atl::p2p
