#include "runtime/core/debugger.h"

#include <signal.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <cstring>

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

}  // namespace

void stop_for_debugger() {
  const char* ranks = std::getenv(shm::kStopVariable);
  if (ranks == nullptr || !process.launched || !names_this_rank(ranks)) return;
  // Where Yama restricts ptrace: the debugger is no ancestor.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  ::raise(SIGSTOP);
  ::prctl(PR_SET_PTRACER, static_cast<unsigned long>(process.launcher), 0, 0, 0);
}

}  // namespace atl
