// Runs a program in which chosen system calls fail with EPERM, as under a
// container's rules:  forbid_calls CALL[,CALL...] PROGRAM [ARGUMENT...]
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::map<std::string, unsigned> kCalls = {
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"membarrier", SYS_membarrier},
    {"memfd_create", SYS_memfd_create},
    {"sched_setaffinity", SYS_sched_setaffinity},
};

// Loads the number of the call and compares it with each forbidden one.
std::vector<sock_filter> filter_for(const std::vector<unsigned>& calls) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (unsigned call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

bool forbid(const std::vector<unsigned>& calls) {
  std::vector<sock_filter> filter = filter_for(calls);
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool refused(unsigned call) { return syscall(call, 0, 0, 0, 0, 0, 0) == -1 && errno == EPERM; }

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::vector<unsigned> calls;
  std::istringstream names(argv[1]);
  for (std::string name; std::getline(names, name, ',');) calls.push_back(kCalls.at(name));
  if (!forbid(calls)) {
    std::perror("forbid_calls: seccomp");
    return 2;
  }
  for (unsigned call : calls) {
    if (!refused(call)) {
      std::fprintf(stderr, "forbid_calls: system call %u still works\n", call);
      return 2;
    }
  }
  execv(argv[2], argv + 2);
  std::perror(argv[2]);
  return 2;
}
