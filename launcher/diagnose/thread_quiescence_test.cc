#include "launcher/diagnose/thread_quiescence.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <initializer_list>
#include <mutex>
#include <string>
#include <thread>

namespace atl::launcher {
namespace {

constexpr std::uint64_t kBell = 0x7f0000001040;
const std::vector<pid_t> kThreads = {100, 101};

std::string futex(std::uint64_t word, int operation, std::uint64_t value, std::uint64_t limit) {
  return fmt::format("{} {:#x} {:#x} {:#x} {:#x} 0x0 0x0 0x7ffc0 0x7f11\n", SYS_futex, word,
                     operation, value, limit);
}

TEST_CASE("handlers for signals that arrive by themselves") {
  const auto mask = [](std::initializer_list<int> signals) {
    std::uint64_t bits = 0;
    for (const int signal : signals) bits |= 1ull << (signal - 1);
    return fmt::format("{:016x}", bits);
  };
  CHECK_FALSE(may_come_by_themselves("0000000000000000"));
  CHECK_FALSE(may_come_by_themselves(""));
  CHECK_FALSE(may_come_by_themselves(mask({SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT})));
  CHECK_FALSE(may_come_by_themselves(mask({32, 33})));
  CHECK(may_come_by_themselves(mask({SIGSEGV, SIGALRM})));
  CHECK(may_come_by_themselves(mask({SIGUSR1})));
  CHECK(may_come_by_themselves(mask({SIGCHLD})));
  CHECK(may_come_by_themselves(mask({64})));
}

TEST_CASE("what a thread in the kernel waits for") {
  struct Row {
    std::string syscall;
    ThreadState rest;
  };
  constexpr int kForEver = FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME;  // as glibc waits
  const Row rows[] = {
      {futex(kBell, FUTEX_WAIT, 1, 0), ThreadState::at_the_bell},
      {futex(kBell, FUTEX_WAIT, 1, 0x7ffd0), ThreadState::at_the_bell},  // with a timeout
      {futex(kBell, FUTEX_WAKE, 1, 0), ThreadState::none},
      {futex(0x5000, FUTEX_WAIT_PRIVATE, 2, 0), ThreadState::on_others},
      {futex(0x5000, kForEver | FUTEX_PRIVATE_FLAG, 0, 0), ThreadState::on_others},
      {futex(0x5000, kForEver | FUTEX_PRIVATE_FLAG, 0, 0x7ffd0),
       ThreadState::none},                                        // with a timeout
      {futex(0x5000, kForEver, 101, 0), ThreadState::on_others},  // joins a thread
      {futex(0x5000, kForEver, 102, 0), ThreadState::none},       // another process may ring there
      {futex(0x5000, FUTEX_WAIT, 1, 0), ThreadState::none},
      {"running\n", ThreadState::none},
      {"-1 0x7ffc0 0x7f11\n", ThreadState::none},  // asleep, but not in a system call
      {"0 0x3 0x7f4 0x20000 0x7f4 0xf 0x0 0x7ff 0x7f4\n", ThreadState::none},  // in read()
      {"", ThreadState::none},
  };
  for (const Row& row : rows) {
    CAPTURE(row.syscall);
    CHECK(thread_state_of(row.syscall, kBell, kThreads) == row.rest);
  }
}

TEST_CASE("a process with a running thread is not quiescent") {
  CHECK_FALSE(quiescent_threads(::getpid(), kBell));
  CHECK_FALSE(quiescent_threads(0, kBell));
}

}  // namespace
}  // namespace atl::launcher
