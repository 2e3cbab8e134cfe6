// Which ranks wait for which ranks.
#pragma once

#include <span>
#include <vector>

#include "launcher/diagnose/wait_table.h"

namespace atl::launcher {

// One operation that a rank waits for.
struct WaitDependency {
  int rank = 0;           // the waiting rank, in the job
  shm::WaitInfo wait;     // the call
  shm::PendingInfo what;  // the operation
  std::vector<int> from;  // ranks in the job that could complete the operation
  bool any = false;       // one of these ranks, or another operation of the call, suffices
};

// The dependencies of all ranks, in order.
std::vector<WaitDependency> wait_dependencies_of(std::span<const RankState> ranks);

// The members of the communicator of a rank's wait; all ranks when it is not known.
std::vector<int> members_of(std::span<const RankState> ranks, int rank, std::uint32_t wait);

// Whether a rank has started the collective that `dependency` waits for.
bool has_entered(const RankState& rank, const WaitDependency& dependency);

// The name of the collective that a rank waits for: "MPI_Barrier".
std::string collective_name(const shm::WaitInfo& wait);

}  // namespace atl::launcher
