#include "test/hot_path/forbid.h"

#include <linux/prctl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1  // they allocate and make system calls of their own
#endif

namespace {

// Read by the kernel at each system call of the thread.
volatile char selector = SYSCALL_DISPATCH_FILTER_ALLOW;
int my_rank = -1;
bool counting = false;
std::size_t counted = 0;

void caught(int, siginfo_t* info, void*) {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  char text[100];
  const int length =
      std::snprintf(text, sizeof text, "rank %d: system call %d (see <asm/unistd.h>) at %p\n",
                    my_rank, info->si_syscall, info->si_call_addr);
  if (write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) _exit(2);
  _exit(1);
}

}  // namespace

namespace forbid {

bool set_up(int rank) {
#if defined(SANITIZED)
  return false;
#endif
  my_rank = rank;
  struct sigaction action {};
  action.sa_sigaction = caught;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
  return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector) == 0;
}

void begin() {
  counted = 0;
  counting = true;
  selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

void end() {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  counting = false;
}

std::size_t allocations() { return counted; }

}  // namespace forbid

#if !defined(SANITIZED)
// glibc's functions under the names that nobody else defines.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

#define EXPORT __attribute__((visibility("default")))

EXPORT void* malloc(std::size_t bytes) {
  counted += counting;
  return __libc_malloc(bytes);
}
EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  counted += counting;
  return __libc_calloc(count, bytes);
}
EXPORT void* realloc(void* memory, std::size_t bytes) {
  counted += counting;
  return __libc_realloc(memory, bytes);
}
EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  counted += counting;
  return __libc_memalign(alignment, bytes);
}
EXPORT void free(void* memory) {
  counted += counting;
  __libc_free(memory);
}
}
#endif
