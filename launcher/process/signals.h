// The signals that mpiexec handles, read from a descriptor instead of by handlers.
#pragma once

#include <signal.h>
#include <sys/signalfd.h>

#include <optional>

#include "launcher/base/descriptor.h"

namespace atl::launcher {

class Signals {
 public:
  // Blocks the signals in this process. Ignored signals stay ignored, as for a
  // program started with nohup.
  Signals();

  int descriptor() const { return descriptor_.number(); }
  std::optional<signalfd_siginfo> next();

  // The signal mask before the constructor: ranks start with it.
  const sigset_t& before() const { return before_; }

  // Applies the default action of `signal` to this process.
  void suffer(int signal);

  // Restores the signal mask, except for SIGPIPE.
  void restore();

 private:
  sigset_t before_{};
  Descriptor descriptor_;
};

// True when the terminal sent the signal: then the whole foreground group got it.
inline bool from_terminal(const signalfd_siginfo& info) { return info.ssi_code == SI_KERNEL; }

}  // namespace atl::launcher
