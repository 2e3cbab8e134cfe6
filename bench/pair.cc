#include "bench/pair.h"

#include <hwloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace atl::bench {
namespace {

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
  std::exit(1);
}

// Binds the calling process to core `number` of those it may use.
class Cores {
 public:
  Cores() {
    hwloc_topology_init(&topology_);
    hwloc_topology_load(topology_);
    if (hwloc_get_nbobjs_by_type(topology_, HWLOC_OBJ_CORE) < 2) {
      give_up("needs two cores, and this process may use only one");
    }
  }

  void bind(int number) {
    const hwloc_obj_t core = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_CORE, number);
    hwloc_set_cpubind(topology_, core->cpuset, HWLOC_CPUBIND_PROCESS);
  }

 private:
  hwloc_topology_t topology_;
};

}  // namespace

void* shared_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("no shared memory");
  return memory;
}

void run_pair(const std::function<void(Side)>& body) {
  static Cores cores;
  const pid_t parent = ::getpid();
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // lets the child copy from here under Yama
  const pid_t child = ::fork();
  if (child < 0) give_up("cannot start a second process");
  cores.bind(child == 0 ? 1 : 0);
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    body({1, parent});
    ::_exit(0);
  }
  body({0, child});
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) give_up("the second process failed");
}

}  // namespace atl::bench
