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

hwloc_topology_t load_topology() {
  hwloc_topology_t topology;
  hwloc_topology_init(&topology);
  hwloc_topology_load(topology);
  if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) < 2) {
    give_up("needs two cores, and this process may use only one");
  }
  return topology;
}

}  // namespace

void* shared_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("no shared memory");
  return memory;
}

void bind_to_core(int number) {
  static const hwloc_topology_t topology = load_topology();
  const hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, number);
  hwloc_set_cpubind(topology, core->cpuset, HWLOC_CPUBIND_THREAD);
}

void run_pair(const std::function<void(Side)>& body) {
  const pid_t parent = ::getpid();
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // lets the child copy from here under Yama
  bind_to_core(0);  // loads the topology before the fork, so that both have it
  const pid_t child = ::fork();
  if (child < 0) give_up("cannot start a second process");
  if (child == 0) {
    bind_to_core(1);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    body({1, parent});
    ::_exit(0);
  }
  body({0, child});
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) give_up("the second process failed");
}

}  // namespace atl::bench
