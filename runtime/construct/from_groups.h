// Communicators for groups of processes that share no communicator yet (MPI 5.0, 7.4.2 and 7.6.2).
#pragma once

#include <mpi.h>

#include "runtime/comm/communicator.h"
#include "runtime/comm/group.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"

namespace atl::construct {

Error create_from_group(Group& group, const char* stringtag, const Info& info,
                        Errhandler& errhandler, MPI_Comm* newcomm);
Error intercomm_create_from_groups(Group& local_group, int local_leader, Group& remote_group,
                                   int remote_leader, const char* stringtag, const Info& info,
                                   Errhandler& errhandler, MPI_Comm* newintercomm);

}  // namespace atl::construct
