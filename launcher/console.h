// Standard output and standard error of mpiexec, for the ranks and for itself.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "launcher/funnel.h"
#include "launcher/plan.h"
#include "launcher/poller.h"

namespace atl::launcher {

class Console {
 public:
  explicit Console(const OutputChoice& choice);

  Funnel& output() { return *output_; }
  Funnel& error() { return *error_; }

  // A line on standard error, with "mpiexec: " in front.
  void say(std::string_view text);

  // Each funnel is watched for what it can do next: read, or go on writing.
  // Call it again when something was written.
  void watch(Poller& poller, std::uint64_t tag);

  // Moves whatever can be moved without waiting.
  void advance();
  // Everything that has arrived, whoever must be waited for.
  void finish();

  // As Funnel::due().
  std::optional<Clock::time_point> due() const;
  void show_due(Clock::time_point now);

  // Nobody reads standard output any more.
  bool output_is_broken() const;

 private:
  struct Watch {
    Funnel* funnel = nullptr;
    int watched = -1;
  };

  template <class Visit>
  void for_each(Visit&& visit);

  std::unique_ptr<Funnel> output_;
  std::unique_ptr<Funnel> own_error_;  // when it is another file than the output
  Funnel* error_;
  Watch watches_[2];
};

}  // namespace atl::launcher
