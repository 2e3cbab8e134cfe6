// Accumulates (MPI 5.0, 12.3.3 to 12.3.5): the atomic operations. Each is complete when the call
// returns.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/op/op.h"

namespace atl::rma {

using datatype::Datatype;

Error accumulate(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                 int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                 const Datatype& target_datatype, const Op& op, Window& win);
Error get_accumulate(const void* origin_addr, MPI_Count origin_count,
                     const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                     const Datatype& result_datatype, int target_rank, MPI_Aint target_disp,
                     MPI_Count target_count, const Datatype& target_datatype, const Op& op,
                     Window& win);
Error fetch_and_op(const void* origin_addr, void* result_addr, const Datatype& datatype,
                   int target_rank, MPI_Aint target_disp, const Op& op, Window& win);
Error compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr,
                       const Datatype& datatype, int target_rank, MPI_Aint target_disp,
                       Window& win);

Error raccumulate(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                  int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                  const Datatype& target_datatype, const Op& op, Window& win, MPI_Request* request);
Error rget_accumulate(const void* origin_addr, MPI_Count origin_count,
                      const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                      const Datatype& result_datatype, int target_rank, MPI_Aint target_disp,
                      MPI_Count target_count, const Datatype& target_datatype, const Op& op,
                      Window& win, MPI_Request* request);

}  // namespace atl::rma
