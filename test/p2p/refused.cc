// The kernel's copy between two ranks is refused in the middle of the program: for one side only,
// for some memory only (memfd_secret, as with a device's memory), for all. Long messages arrive
// as short messages do.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kBytes = 6 << 20;  // many fragments

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// From now on that system call of this process fails with `error`.
void refuse(unsigned call, int error) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{4, filter};
  CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
  CHECK(syscall(call, 0, 0, 0, 0, 0, 0) == -1 && errno == error);
}

// Messages to the right, some sent much later than their receives, some much earlier.
void exchange(const char* what, char* out, char* in) {
  for (int round = 0; round < 6; ++round) {
    check::set_case("%s, round %d", what, round);
    check::fill(out, kBytes, 10 * check::rank + round);
    std::memset(in, 0, kBytes);
    MPI_Request requests[2];
    if (round % 2 == 0) {
      MPI_Irecv(in, kBytes, MPI_BYTE, left(), 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Issend(out, kBytes, MPI_BYTE, right(), 1, MPI_COMM_WORLD, &requests[1]);
    } else {
      MPI_Isend(out, kBytes, MPI_BYTE, right(), 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Irecv(in, kBytes, MPI_BYTE, left(), 1, MPI_COMM_WORLD, &requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_PATTERN(in, kBytes, 10 * left() + round);
  }
}

#if defined(SYS_memfd_secret)
// Memory that the kernel does not copy; null if it is not available.
char* secret_memory() {
  const auto descriptor = static_cast<int>(syscall(SYS_memfd_secret, 0));
  if (descriptor < 0 || ftruncate(descriptor, kBytes) != 0) return nullptr;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}
#else
char* secret_memory() { return nullptr; }
#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> out(kBytes), in(kBytes);
  exchange("all allowed", out.data(), in.data());
  if (char* secret = secret_memory()) {
    exchange("from secret memory", secret, in.data());
    exchange("to secret memory", out.data(), secret);
    exchange("all allowed again", out.data(), in.data());
  }
  if (check::rank % 2 == 0) refuse(SYS_process_vm_writev, EFAULT);
  exchange("each second sender cannot help", out.data(), in.data());
  if (check::rank % 2 == 0) refuse(SYS_process_vm_readv, EFAULT);
  exchange("each second receiver cannot copy from some memory", out.data(), in.data());
  if (check::rank % 2 != 0) refuse(SYS_process_vm_readv, EPERM);
  exchange("no receiver may copy", out.data(), in.data());
  if (check::rank % 2 != 0) refuse(SYS_process_vm_writev, EPERM);
  exchange("nobody may copy", out.data(), in.data());
  return check::finish();
}
