// The communicator objects at the end of a construction.
#pragma once

#include "runtime/comm/communicator.h"

namespace atl::construct {

// With the error handler of `parent` (MPI 5.0, 9.3), and of its session.
Communicator& make_intra(Communicator& parent, Members members, int rank, shm::ContextId context);

// The local communicator of the sides comes with it.
Communicator& make_inter(Communicator& parent, Members members, Members remote, int rank,
                         shm::ContextId context, shm::ContextId local_context);

// Of the two groups of an inter-communicator, whose first member decides what one
// side has to decide for both.
inline bool decides(const Members& members, const Members& remote) {
  return members.world_rank(0) < remote.world_rank(0);
}
inline bool decides(const Communicator& inter) {
  return decides(inter.members(), inter.peer_members());
}

}  // namespace atl::construct
