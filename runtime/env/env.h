// Initialization, finalization and inquiry functions (MPI 5.0, chapters 9 and 11).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"

namespace atl::env {

Error init(int* argc, char*** argv);
Error init_thread(int* argc, char*** argv, int required, int* provided);
Error finalize();
Error abort(Communicator& comm, int errorcode);
Error initialized(int* flag);
Error finalized(int* flag);
Error query_thread(int* provided);
Error is_thread_main(int* flag);

double wtime();
double wtick();
Error get_processor_name(char* name, int* resultlen);
Error get_version(int* version, int* subversion);
Error get_library_version(char* version, int* resultlen);
Error abi_get_version(int* abi_major, int* abi_minor);

Error alloc_mem(MPI_Aint size, const Info& info, void* baseptr);
Error free_mem(void* base);

// Always MPI_COMM_NULL: no process is spawned, since spawning is not implemented (11.8.2).
Error comm_get_parent(MPI_Comm* parent);

// No effect (15.2.4): profiling libraries replace it.
Error pcontrol(int level);

}  // namespace atl::env
