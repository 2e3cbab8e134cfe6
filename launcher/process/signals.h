// The signals that mpiexec takes care of, as a descriptor instead of handlers.
#pragma once

#include <signal.h>
#include <sys/signalfd.h>

#include <optional>

#include "launcher/base/descriptor.h"

namespace atl::launcher {

class Signals {
 public:
  // Blocks them in this process. Those that were ignored stay so, as for a
  // program started with nohup.
  Signals();

  int descriptor() const { return descriptor_.number(); }
  std::optional<signalfd_siginfo> next();

  // What was blocked before: what ranks start with.
  const sigset_t& before() const { return before_; }

  // Lets `signal` act on this process as if nothing had been set up.
  void suffer(int signal);

  // From now on signals act on mpiexec as on any program, but for SIGPIPE.
  void restore();

 private:
  sigset_t before_{};
  Descriptor descriptor_;
};

// True when the terminal sent it: then the whole foreground group has got it.
inline bool from_terminal(const signalfd_siginfo& info) { return info.ssi_code == SI_KERNEL; }

}  // namespace atl::launcher
