// The communicator functions of MPI 5.0, chapter 7; some need messages.
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::comm {

Fault size(Communicator& comm, int* size);
Fault rank(Communicator& comm, int* rank);
Fault compare(Communicator& comm1, Communicator& comm2, int* result);
Fault dup(Communicator& comm, MPI_Comm* newcomm);
Fault free(MPI_Comm* comm);
Fault set_name(Communicator& comm, const char* comm_name);
Fault get_name(Communicator& comm, char* comm_name, int* resultlen);

Fault set_errhandler(Communicator& comm, Errhandler& errhandler);
Fault get_errhandler(Communicator& comm, MPI_Errhandler* errhandler);
Fault call_errhandler(Communicator& comm, int errorcode);

}  // namespace atl::comm
