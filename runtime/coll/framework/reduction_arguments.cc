#include "runtime/coll/framework/reduction_arguments.h"

#include <cstdint>

#include "runtime/coll/framework/blocks.h"

namespace atl::coll {

ReductionArguments::ReductionArguments(const void* sendbuf, void* recvbuf, MPI_Count count,
                                       MPI_Datatype datatype, const Op& op)
    : sendbuf(sendbuf), recvbuf(recvbuf), count(count), datatype(datatypes.find(datatype)) {
  if (this->datatype != nullptr && this->datatype->committed()) {
    reduction_.emplace(op, *this->datatype, datatype);
  }
}

Fault ReductionArguments::check(bool contributes, bool gets_result, MPI_Count part) const {
  const Names result = {"recvbuf", "count", "datatype"};
  if (contributes && !in_place()) {
    const Names contribution = {"sendbuf", "count", "datatype"};
    if (Fault fault = check_data(contribution, sendbuf, count, datatype.get())) return fault;
  } else if (Fault fault = check_data(result, recvbuf, count, datatype.get())) {
    return fault;
  }
  if (Fault fault = reduction_->check()) return fault;
  if (!gets_result) return {};
  if (Fault fault = check_data(result, recvbuf, count, datatype.get())) return fault;
  if (!contributes || in_place()) return {};
  // Both have the same type, and the result is no longer: farther apart than that is mostly known
  // from the addresses alone.
  const std::size_t bytes = static_cast<std::size_t>(count) * datatype->size();
  const std::uintptr_t distance =
      reinterpret_cast<std::uintptr_t>(sendbuf) - reinterpret_cast<std::uintptr_t>(recvbuf);
  if (__builtin_expect(distance + bytes - 1 >= 2 * bytes - 1, 1)) return {};
  return check_apart(contribution(), {recvbuf, static_cast<std::size_t>(part), datatype.get()});
}

}  // namespace atl::coll
