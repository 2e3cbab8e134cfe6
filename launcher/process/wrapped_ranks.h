// Ranks that are not the process which mpiexec has started for them, but one that
// this has started: `mpiexec sh -c './solver; ./plot'`. mpiexec is no parent of such a
// rank, and the shell may go on when the rank has ended, so the rank is watched itself.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "launcher/base/descriptor.h"
#include "shm/job.h"

namespace atl::launcher {

// How a rank's process has ended, as far as the system tells those who are no parent.
struct LostRank {
  pid_t pid = 0;
  std::optional<int> status;  // as wait(2) has it; Linux tells it from 6.15 on
};

class WrappedRanks {
 public:
  // To be called now and then while the process `started` of that rank runs. Says once
  // that the rank has ended between MPI_Init and MPI_Finalize, or with MPI_Abort, and
  // had done so at the call before: what has started it had time to end as well, and
  // then tells more.
  std::optional<LostRank> look(std::uint32_t rank, const shm::RankSlot& slot, pid_t started);

 private:
  struct Watched {
    pid_t pid = 0;
    Descriptor pidfd;
    bool ended = false;  // at the look before
    bool told = false;
  };

  std::map<std::uint32_t, Watched> watched_;
};

}  // namespace atl::launcher
