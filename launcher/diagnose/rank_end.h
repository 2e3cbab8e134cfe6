// How a rank ended, whether that is a failure of the job, and what to say of it.
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
  int value = 0;       // the signal that killed it, or what it returned
  bool known = true;   // whether `killed` and `value` are
  int abort_code = 0;  // when its life ended in MPI_Abort
  RankState state;     // its last
};

// False only for a rank that returned 0 and owes no MPI_Finalize.
bool failed(const RankEnd& end);

// What mpiexec returns when this rank is the first that failed.
int exit_status(const RankEnd& end);

// True when the other ranks cannot go on: not when the rank had finalized MPI
// and merely returned something.
bool ends_job(const RankEnd& end);

// "returned 3", "was killed by SIGSEGV".
std::string how(const RankEnd& end);

// "rank 3 (./a.out, pid 71, cpu 5) was killed by signal 11, SIGSEGV
// (Segmentation fault), in MPI_Recv from 1, ...".
std::string describe(const RankEnd& end);

}  // namespace atl::launcher
