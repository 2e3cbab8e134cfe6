// How a rank ended, whether that is a failure of the job, and the message about it.
#pragma once

#include <sys/types.h>

#include <string>

#include "launcher/diagnose/wait_table.h"

namespace atl::launcher {

struct RankEnd {
  int rank = 0;
  std::string program;
  pid_t pid = -1;
  int cpu = -1;  // where it ran last, -1 unknown
  bool killed = false;
  bool core_dumped = false;
  int value = 0;       // the signal that killed it, or its exit status
  bool known = true;   // whether `killed` and `value` are known
  int abort_code = 0;  // valid after MPI_Abort
  RankState state;     // its last state
};

// False only for a rank that returned 0 and did not omit MPI_Finalize.
bool failed(const RankEnd& end);

// The exit status of mpiexec when this rank is the first that failed.
int exit_status(const RankEnd& end);

// True when the other ranks cannot continue: not when the rank had finalized MPI
// and only returned a nonzero status.
bool ends_job(const RankEnd& end);

// "returned 3", "was killed by SIGSEGV".
std::string how(const RankEnd& end);

// "rank 3 (./a.out, pid 71, cpu 5) was killed by signal 11, SIGSEGV
// (Segmentation fault), in MPI_Recv from 1, ...".
std::string describe(const RankEnd& end);

}  // namespace atl::launcher
