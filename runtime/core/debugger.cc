#include "runtime/core/debugger.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/core/own_file.h"
#include "runtime/core/process.h"

namespace atl {
namespace {

// Whether `text` is "all", or a list like "0,3-5" with this rank in it.
bool names_this_rank(const char* text) {
  if (std::strcmp(text, "all") == 0) return true;
  while (*text != '\0') {
    char* end = nullptr;
    const unsigned long first = std::strtoul(text, &end, 10);
    const unsigned long last = *end == '-' ? std::strtoul(end + 1, &end, 10) : first;
    if (first <= process.rank && process.rank <= last) return true;
    if (*end != ',') return false;
    text = end + 1;
  }
  return false;
}

bool is_traced() {
  const std::string status = read_own_file("status");
  constexpr std::string_view kTracer = "\nTracerPid:";
  const std::size_t at = status.find(kTracer);
  return at != status.npos && std::atoi(status.c_str() + at + kTracer.size()) != 0;
}

volatile std::sig_atomic_t told_to_go_on = 0;

}  // namespace

// Not by SIGSTOP: a debugger that attaches to a stopped program has to continue it twice.
void wait_for_debugger() {
  const char* ranks = ::secure_getenv(shm::kStopVariable);
  if (ranks == nullptr || !process.launched || !names_this_rank(ranks)) return;
  // For systems where Yama restricts ptrace to ancestors: the debugger is no ancestor.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  struct sigaction before {};
  struct sigaction ours {};
  ours.sa_handler = [](int) { told_to_go_on = 1; };
  ::sigaction(SIGCONT, &ours, &before);
  constexpr int kCheckInterval = 50;  // milliseconds
  while (told_to_go_on == 0 && !is_traced()) ::poll(nullptr, 0, kCheckInterval);
  ::sigaction(SIGCONT, &before, nullptr);
  ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(process.launcher), 0, 0, 0);
}

}  // namespace atl
