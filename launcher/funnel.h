// The output of all ranks on its way into one sink, line by line.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/descriptor.h"
#include "launcher/lines.h"
#include "launcher/sink.h"

namespace atl::launcher {

using Clock = std::chrono::steady_clock;

class Funnel {
 public:
  explicit Funnel(int descriptor);

  // Output of rank `writer` arrives at `source`.
  void add(int writer, Descriptor source, const std::string& label);

  // A line of mpiexec's own.
  void say(std::string_view line);

  // What to wait for: input on events() while the sink is not blocked, and room
  // in the sink while it is.
  int events() const { return events_.number(); }
  const Sink& sink() const { return sink_; }

  // Takes from each rank what its pipe holds, until the sink is blocked. False
  // when there was nothing.
  bool pump();
  void flush();

  // At a terminal an unfinished line is shown when it has been so for a moment:
  // it may be a question.
  std::optional<Clock::time_point> unfinished_due() const { return unfinished_due_; }
  void show_unfinished();

  // No more output is expected; what is unfinished goes out as it is.
  void close_sources();

 private:
  struct Source {
    int writer;
    Descriptor descriptor;
    std::string label;
    LineSplitter lines;
  };

  void read_from(Source& source);
  void finish(Source& source);

  Sink sink_;
  bool terminal_;
  Descriptor events_;  // an epoll of the sources
  std::vector<Source> sources_;
  std::vector<epoll_event> ready_;
  std::vector<char> buffer_;
  std::optional<Clock::time_point> unfinished_due_;
};

}  // namespace atl::launcher
