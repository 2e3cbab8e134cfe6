// Starting, ending and asking about MPI (MPI 5.0, chapters 9 and 11).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"
#include "runtime/objects/info.h"

namespace atl::env {

Fault init(int* argc, char*** argv);
Fault init_thread(int* argc, char*** argv, int required, int* provided);
Fault finalize();
Fault abort(Communicator& comm, int errorcode);
Fault initialized(int* flag);
Fault finalized(int* flag);
Fault query_thread(int* provided);
Fault is_thread_main(int* flag);

double wtime();
double wtick();
Fault get_processor_name(char* name, int* resultlen);
Fault get_version(int* version, int* subversion);
Fault get_library_version(char* version, int* resultlen);
Fault abi_get_version(int* abi_major, int* abi_minor);

Fault alloc_mem(MPI_Aint size, const Info& info, void* baseptr);
Fault free_mem(void* base);

// This process was not spawned: nothing spawns any yet (11.8.2).
Fault comm_get_parent(MPI_Comm* parent);

// Profiling libraries stand in front of it; it has nothing to do here (15.2.4).
Fault pcontrol(int level);

}  // namespace atl::env
