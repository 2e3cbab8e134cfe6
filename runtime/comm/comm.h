// Queries and settings of a communicator that are local to one process (MPI 5.0, 7.4.1, 7.6.1,
// 7.8, 9.3). Constructors are in construct/.
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::comm {

Error size(Communicator& comm, int* size);
Error rank(Communicator& comm, int* rank);
Error compare(Communicator& comm1, Communicator& comm2, int* result);
Error group(Communicator& comm, MPI_Group* group);

Error set_info(Communicator& comm, const Info& info);
Error get_info(Communicator& comm, MPI_Info* info_used);

Error test_inter(Communicator& comm, int* flag);
Error remote_size(Communicator& comm, int* size);
Error remote_group(Communicator& comm, MPI_Group* group);

}  // namespace atl::comm
