// Standard output and standard error of mpiexec, for the ranks and for itself.
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

  // A line on standard error, with "mpiexec: " in front.
  void say(std::string_view text);

  // Each forwarder is watched for what it can do next: read, or go on writing.
  // Call it again when something was written.
  void watch(Poller& poller, std::uint64_t tag);

  // Moves whatever can be moved without waiting.
  void advance();
  // Everything that has arrived, whoever must be waited for.
  void finish();

  // As OutputForwarder::due().
  std::optional<Clock::time_point> due() const;
  void show_due(Clock::time_point now);

  // Nobody reads standard output any more.
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
