// What a communicator can be asked and told by one process alone (MPI 5.0,
// 7.4.1, 7.6.1, 7.8, 9.3). What makes communicators is in construct/.
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::comm {

Fault size(Communicator& comm, int* size);
Fault rank(Communicator& comm, int* rank);
Fault compare(Communicator& comm1, Communicator& comm2, int* result);
Fault group(Communicator& comm, MPI_Group* group);

Fault set_info(Communicator& comm, const Info& info);
Fault get_info(Communicator& comm, MPI_Info* info_used);

Fault test_inter(Communicator& comm, int* flag);
Fault remote_size(Communicator& comm, int* size);
Fault remote_group(Communicator& comm, MPI_Group* group);

}  // namespace atl::comm
