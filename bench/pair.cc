#include "bench/pair.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace atl::bench {
namespace {

[[noreturn]] void give_up(const char* why) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
  std::exit(1);
}

// The processing units of the core that contains a unit: "0,64".
std::string siblings(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/topology/thread_siblings_list");
  std::string line = std::to_string(cpu);
  std::getline(file, line);
  return line;
}

// One unit of each of the first two cores that this process may use.
std::vector<int> first_two_cores() {
  std::vector<int> first;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE && first.size() < 2; ++cpu) {
    const bool other = first.empty() || siblings(cpu) != siblings(first[0]);
    if (CPU_ISSET(cpu, &allowed) && other) first.push_back(cpu);
  }
  if (first.size() < 2) give_up("needs two cores, and this process may use only one");
  return first;
}

std::vector<int> chosen_cpus;  // by use_cpus()

}  // namespace

void* shared_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("no shared memory");
  return memory;
}

void use_cpus(int first, int second) { chosen_cpus = {first, second}; }

void bind_to_core(int number) {
  if (chosen_cpus.empty()) chosen_cpus = first_two_cores();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(chosen_cpus[number], &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0) give_up("may not use that cpu");
}

void run_pair(const std::function<void(Side)>& body) {
  const pid_t parent = ::getpid();
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // lets the child copy from here under Yama
  bind_to_core(0);                              // chooses the cores, before the fork
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
