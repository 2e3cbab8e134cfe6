#include "runtime/type/size_calls.h"

#include <cstdint>

namespace atl::type {

Error size(const Datatype& datatype, MPI_Count* size) {
  *size = static_cast<MPI_Count>(datatype.size());
  return {};
}

Error get_extent(const Datatype& datatype, MPI_Count* lb, MPI_Count* extent) {
  *lb = datatype.lower_bound();
  *extent = datatype.extent();
  return {};
}

Error get_true_extent(const Datatype& datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  *true_lb = datatype.true_lower_bound();
  *true_extent = datatype.true_extent();
  return {};
}

Error get_address(const void* location, MPI_Aint* address) {
  *address = reinterpret_cast<MPI_Aint>(location);
  return {};
}

// Addresses are plain integers. Computed as unsigned, since wrapping is not an error.
MPI_Aint aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) +
                               static_cast<std::uintptr_t>(disp));
}

MPI_Aint aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) -
                               static_cast<std::uintptr_t>(addr2));
}

Error extent(const Datatype& datatype, MPI_Aint* extent) {
  *extent = datatype.extent();
  return {};
}

Error lb(const Datatype& datatype, MPI_Aint* displacement) {
  *displacement = datatype.lower_bound();
  return {};
}

Error ub(const Datatype& datatype, MPI_Aint* displacement) {
  *displacement = datatype.lower_bound() + datatype.extent();
  return {};
}

namespace {

MPI_Count entries(const datatype::Strided& blocks) { return blocks.count * blocks.blocklength; }

MPI_Count entries(const datatype::Listed& blocks) {
  MPI_Count sum = 0;
  for (std::size_t i = 0; i < blocks.displacements.size(); ++i) sum += blocks.length(i);
  return sum;
}

bool is_marker(const Datatype& type) {
  return std::holds_alternative<datatype::Marker>(type.structure());
}

}  // namespace

Error count(const Datatype& datatype, MPI_Count* count) {
  *count = 1;
  if (datatype.contents().combiner == datatype::Combiner::named) return {};
  if (const auto* strided = std::get_if<datatype::Strided>(&datatype.structure())) {
    *count = entries(*strided);
  } else if (const auto* listed = std::get_if<datatype::Listed>(&datatype.structure())) {
    *count = entries(*listed);
  } else if (const auto* fields = std::get_if<datatype::Fields>(&datatype.structure())) {
    *count = 0;
    for (std::size_t i = 0; i < fields->blocklengths.size(); ++i) {
      if (!is_marker(*datatype.children()[i])) *count += fields->blocklengths[i];
    }
  }
  return {};
}

}  // namespace atl::type
