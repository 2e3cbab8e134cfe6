#include "launcher/process/signals.h"

#include <unistd.h>

namespace atl::launcher {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

bool ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals() {
  // If the parent of mpiexec ignores SIGCHLD, children leave no exit status.
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t taken;
  ::sigemptyset(&taken);
  ::sigaddset(&taken, SIGCHLD);
  for (const int signal : kForwarded) {
    if (!ignored(signal)) ::sigaddset(&taken, signal);
  }
  descriptor_ = Descriptor(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  sigset_t blocked = taken;
  ::sigaddset(&blocked, SIGPIPE);  // write() to a closed output fails with EPIPE instead
  ::sigprocmask(SIG_BLOCK, &blocked, &before_);
}

std::optional<signalfd_siginfo> Signals::next() {
  signalfd_siginfo info{};
  if (::read(descriptor(), &info, sizeof info) != sizeof info) return std::nullopt;
  return info;
}

void Signals::restore() {
  sigset_t blocked = before_;
  ::sigaddset(&blocked, SIGPIPE);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

void Signals::suffer(int signal) {
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::kill(::getpid(), signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);  // the signal acts here
  ::sigprocmask(SIG_BLOCK, &one, nullptr);
}

}  // namespace atl::launcher
