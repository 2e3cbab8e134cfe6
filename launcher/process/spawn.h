// Starting a rank.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <variant>

#include "launcher/hardware/cpu_set.h"
#include "launcher/process/program_file.h"

namespace atl::launcher {

// Everything that a rank starts with. Descriptors are numbers in mpiexec.
struct RankStart {
  const Program* program = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;  // null: that of mpiexec
  const CpuSet* cpus = nullptr;     // null: not bound
  int input = 0;
  int output = 1;
  int error = 2;
  int segment = -1;    // stays open in the rank
  sigset_t signals{};  // blocked signals
  rlimit descriptor_limit{};
};

struct StartedRank {
  pid_t pid = -1;
  int pidfd = -1;         // readable when the rank has ended
  int binding_error = 0;  // errno, when the system refused to bind the rank
};

// The system kills the rank when this process dies (PR_SET_PDEATHSIG).
std::variant<StartedRank, StartFailure> start_rank(const RankStart& start);

}  // namespace atl::launcher
