// Making and freeing windows (MPI 5.0, 12.2).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"

namespace atl::rma {

Error create(void* base, MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
             MPI_Win* win);
Error allocate(MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
               void* baseptr, MPI_Win* win);
Error allocate_shared(MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
                      void* baseptr, MPI_Win* win);
Error create_dynamic(const Info& info, Communicator& comm, MPI_Win* win);
Error free(MPI_Win* win);

}  // namespace atl::rma
