// Standard output and standard error of mpiexec, for the ranks and for mpiexec itself.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "launcher/base/poller.h"
#include "launcher/placement/plan.h"
#include "launcher/stdio/output_forwarder.h"

namespace atl::launcher {

class Console {
 public:
  explicit Console(const OutputChoice& choice);

  OutputForwarder& output() { return *output_; }
  OutputForwarder& error() { return *error_; }

  // Writes a line to standard error, with "mpiexec: " in front.
  void say(std::string_view text);

  // Watches each forwarder for its next step: reading, or continuing to write.
  // Called again after each write.
  void watch(Poller& poller, std::uint64_t tag);

  // Forwards everything that can be forwarded without waiting.
  void advance();
  // Writes everything that has arrived, and waits for readers as needed.
  void finish();

  // As OutputForwarder::due().
  std::optional<Clock::time_point> due() const;
  void show_due(Clock::time_point now);

  // Standard output has no reader any more.
  bool output_is_broken() const;

 private:
  struct Watch {
    OutputForwarder* forwarder = nullptr;
    int watched = -1;
  };

  template <class Visit>
  void for_each(Visit&& visit);

  std::unique_ptr<OutputForwarder> output_;
  std::unique_ptr<OutputForwarder> own_error_;  // when it is another file than the output
  OutputForwarder* error_;
  Watch watches_[2];
};

}  // namespace atl::launcher
