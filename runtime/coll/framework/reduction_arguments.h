// The arguments that all reductions have (MPI 5.0, 6.9): the contribution or MPI_IN_PLACE, the
// result, and the operation.
#pragma once

#include <mpi.h>

#include <optional>

#include "runtime/coll/framework/data.h"
#include "runtime/core/error.h"
#include "runtime/op/op.h"

namespace atl::coll {

struct ReductionArguments {
  ReductionArguments(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                     const Op& op);

  // Checks the arguments of a rank that contributes, gets the result, or both. The result has
  // `part` elements; without `part`, all.
  Error check(bool contributes, bool gets_result) const {
    return check(contributes, gets_result, count);
  }
  Error check(bool contributes, bool gets_result, MPI_Count part) const;

  // Algorithms through the collective buffer reduce packed values there as an array of elements.
  bool contiguous_values() const {
    return datatype->is_contiguous() && datatype->true_lower_bound() == 0 && datatype->size() != 0;
  }

  bool in_place() const { return sendbuf == MPI_IN_PLACE; }
  Data contribution() const {
    void* from = in_place() ? recvbuf : const_cast<void*>(sendbuf);
    return {from, static_cast<std::size_t>(count), datatype.get()};
  }
  Data result() const { return {recvbuf, static_cast<std::size_t>(count), datatype.get()}; }
  const op::Reduction& reduction() const { return *reduction_; }

  const void* sendbuf;
  void* recvbuf;
  MPI_Count count;
  datatype::Reference datatype;

 private:
  std::optional<op::Reduction> reduction_;  // none without a committed datatype
};

}  // namespace atl::coll
