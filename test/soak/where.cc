#include "test/soak/where.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "test/check.h"

namespace soak {
namespace {

constexpr int kText = 200;

std::uint64_t the_seed = 0;
// Written by their threads; the signal handler reads them as they are.
char texts[kMostThreads][kText];
thread_local int own_thread = 0;
thread_local long own_round = -1;

void write_line(const char* prefix, const char* text) {
  char line[kText + 64];
  const int length = std::snprintf(line, sizeof line, "%s%s\n", prefix, text);
  if (length > 0 && ::write(STDERR_FILENO, line, std::size_t(length)) < 0) return;
}

void tell(int) {
  char prefix[32];
  std::snprintf(prefix, sizeof prefix, "rank %d was in ", check::rank);
  for (const char* text : texts) {
    if (*text != '\0') write_line(prefix, text);
  }
  ::_exit(1);
}

}  // namespace

void set_seed(std::uint64_t seed) { the_seed = seed; }

void set_thread(int thread) { own_thread = thread; }

int thread() { return own_thread; }

void set_round(long round) {
  own_round = round;
  set_nowhere("at its begin");
}

void set_nowhere(const char* what) {
  std::snprintf(texts[own_thread], kText, "--seed=%llu --from=%ld, thread %d, %s",
                static_cast<unsigned long long>(the_seed), own_round, own_thread, what);
  check::set_case("%s", texts[own_thread]);
}

void set_operation(int number, const char* kind, int step) {
  char what[64];
  if (step < 0) {
    std::snprintf(what, sizeof what, "operation %d (%s), completion", number, kind);
  } else {
    std::snprintf(what, sizeof what, "operation %d (%s), step %d", number, kind, step);
  }
  set_nowhere(what);
}

void tell_when_ended() {
  struct sigaction action {};
  action.sa_handler = tell;
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace soak
