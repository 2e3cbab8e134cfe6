#include "shm/testing/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace atl::shm::testing {
namespace {

char sentence[160];

void bite(int) {
  // The processes started here end with this one.
  if (::write(STDERR_FILENO, sentence, std::strlen(sentence)) < 0) ::_exit(125);
  ::_exit(124);
}

}  // namespace

Watchdog::Watchdog(const char* scope, unsigned seconds) {
  std::snprintf(sentence, sizeof sentence, "watchdog: '%s' took more than %u s\n", scope, seconds);
  ::signal(SIGALRM, bite);
  ::alarm(seconds);
}

Watchdog::~Watchdog() { ::alarm(0); }

pid_t start(const std::function<int()>& body) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    std::perror("fork");
    std::abort();
  }
  if (child > 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent ended before prctl()
  ::_exit(body());
}

int finish(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void kill_hard(pid_t process) { ::kill(process, SIGKILL); }

void dawdle(Random& random, std::uint32_t most) {
  for (std::uint32_t i = random.below(most + 1); i > 0; --i) asm volatile("");
}

}  // namespace atl::shm::testing
