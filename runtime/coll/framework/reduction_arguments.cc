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

Error ReductionArguments::check(bool contributes, bool gets_result, MPI_Count part) const {
  const Names result = {"recvbuf", "count", "datatype"};
  if (contributes && !in_place()) {
    const Names contribution = {"sendbuf", "count", "datatype"};
    if (Error error = check_data(contribution, sendbuf, count, datatype.get())) return error;
  } else if (Error error = check_data(result, recvbuf, count, datatype.get())) {
    return error;
  }
  if (Error error = reduction_->check()) return error;
  if (!gets_result) return {};
  if (Error error = check_data(result, recvbuf, count, datatype.get())) return error;
  if (!contributes || in_place()) return {};
  // Both have the same type and the result is not longer, so a large enough distance between the
  // addresses shows that they do not overlap. This is the usual case.
  const std::size_t bytes = static_cast<std::size_t>(count) * datatype->size();
  const std::uintptr_t distance =
      reinterpret_cast<std::uintptr_t>(sendbuf) - reinterpret_cast<std::uintptr_t>(recvbuf);
  if (__builtin_expect(distance + bytes - 1 >= 2 * bytes - 1, 1)) return {};
  return check_apart(contribution(), {recvbuf, static_cast<std::size_t>(part), datatype.get()});
}

}  // namespace atl::coll
