// Makes the communicator objects at the end of a construction.
#pragma once

#include "runtime/comm/communicator.h"

namespace atl::construct {

// Inherits the error handler of `parent` (MPI 5.0, 9.3) and its session.
Communicator& make_intra(Communicator& parent, RankMap members, int rank, shm::ContextId context);

// Also makes the local communicator of this side.
Communicator& make_inter(Communicator& parent, RankMap members, RankMap remote, int rank,
                         shm::ContextId context, shm::ContextId local_context);

// Whether the first member of `members`, not that of `remote`, decides what one side of an
// inter-communicator decides for both.
inline bool decides(const RankMap& members, const RankMap& remote) {
  return members.world_rank(0) < remote.world_rank(0);
}
inline bool decides(const Communicator& inter) {
  return decides(inter.members(), inter.peer_members());
}

}  // namespace atl::construct
