// MPI_Put and MPI_Get (MPI 5.0, 12.3.1, 12.3.2, 12.3.5). Every operation is complete when the call
// returns, at the origin and at the target: the request forms return a complete request.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"

namespace atl::rma {

using datatype::Datatype;

Error put(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count,
          const Datatype& target_datatype, Window& win);
Error get(void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count,
          const Datatype& target_datatype, Window& win);

Error rput(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
           int target_rank, MPI_Aint target_disp, MPI_Count target_count,
           const Datatype& target_datatype, Window& win, MPI_Request* request);
Error rget(void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
           int target_rank, MPI_Aint target_disp, MPI_Count target_count,
           const Datatype& target_datatype, Window& win, MPI_Request* request);

}  // namespace atl::rma
