#include "runtime/comm/type.h"

namespace atl::type {

Fault size(const Datatype& datatype, MPI_Count* size) {
  *size = static_cast<MPI_Count>(datatype.size());
  return {};
}

Fault get_extent(const Datatype& datatype, MPI_Count* lb, MPI_Count* extent) {
  *lb = datatype.lower_bound();
  *extent = datatype.extent();
  return {};
}

Fault get_true_extent(const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  *true_lb = datatype.true_lower_bound();
  *true_extent = datatype.true_extent();
  return {};
}

Fault get_address(const void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return {};
}

// Addresses are plain integers here; unsigned, since wrapping is no error.
MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) +
                               static_cast<std::uintptr_t>(disp));
}

MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) -
                               static_cast<std::uintptr_t>(addr2));
}

}  // namespace atl::type
