// Inter-communicators (MPI 5.0, 7.6).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::construct {

Fault intercomm_create(Communicator& local_comm, int local_leader, MPI_Comm peer_comm,
                       int remote_leader, int tag, MPI_Comm* newintercomm);
Fault intercomm_merge(Communicator& intercomm, int high, MPI_Comm* newintracomm);

// How the leader of one side reaches that of the other.
struct Line {
  Communicator& comm;
  int peer;
  int tag;
};

// Makes one out of two sides; only the line of the leader is used. A fault that
// he has come upon already goes to his whole side.
Fault connect(Fault of_leader, Communicator& local_comm, int local_leader, const Line& line,
              Communicator*& made);

// MPI_Comm_create on one.
Fault create_inter(Communicator& comm, const Members& members, MPI_Comm* newcomm);

}  // namespace atl::construct
