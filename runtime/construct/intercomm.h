// Inter-communicators (MPI 5.0, 7.6).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::construct {

Error intercomm_create(Communicator& local_comm, int local_leader, MPI_Comm peer_comm,
                       int remote_leader, int tag, MPI_Comm* newintercomm);
Error intercomm_merge(Communicator& intercomm, int high, MPI_Comm* newintracomm);

// How the leader of one side reaches the leader of the other.
struct Line {
  Communicator& comm;
  int peer;
  int tag;
};

// Makes an inter-communicator of two sides; only the leader's `line` is used. An error that the
// leader has already found goes to its whole side.
Error connect(Error of_leader, Communicator& local_comm, int local_leader, const Line& line,
              Communicator*& made);

// MPI_Comm_create on an inter-communicator.
Error create_inter(Communicator& comm, const RankMap& members, MPI_Comm* newcomm);

}  // namespace atl::construct
