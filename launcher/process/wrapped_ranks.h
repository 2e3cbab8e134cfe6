// Ranks that are not the process which mpiexec has started, but a descendant of it:
// `mpiexec sh -c './solver; ./plot'`. mpiexec is not the parent of such a rank, and the shell
// may run on when the rank has ended, so mpiexec watches the rank's own process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "launcher/base/descriptor.h"
#include "shm/job.h"

namespace atl::launcher {

// How a rank's process has ended, as far as the system tells a process that is not its parent.
struct LostRank {
  pid_t pid = 0;
  std::optional<int> status;  // as wait(2) has it; Linux tells it from 6.15 on
};

class WrappedRanks {
 public:
  // Called periodically while the process `started` of that rank runs. Returns a value once,
  // when the rank has ended between MPI_Init and MPI_Finalize, or with MPI_Abort, and had
  // ended at the previous call already: in between, `started` had time to end as well, and
  // its exit status would tell more.
  std::optional<LostRank> check(std::uint32_t rank, const shm::RankSlot& slot, pid_t started);

 private:
  struct Watched {
    pid_t pid = 0;
    Descriptor pidfd;
    bool ended = false;  // at the previous call
    bool told = false;
  };

  std::map<std::uint32_t, Watched> watched_;
};

}  // namespace atl::launcher
