// Forwards the output of all ranks to one writer, line by line.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/base/descriptor.h"
#include "launcher/stdio/line_merger.h"
#include "launcher/stdio/line_splitter.h"
#include "launcher/stdio/nonblocking_writer.h"

namespace atl::launcher {

using Clock = std::chrono::steady_clock;

class OutputForwarder {
 public:
  explicit OutputForwarder(int descriptor);

  // Puts the time of arrival in front of each line.
  void show_time() { shows_time_ = true; }
  // Prints lines that ranks have in common once.
  void merge();

  // Adds `source`, the pipe with standard output (`stream` 0) or standard error (1) of a rank.
  void add(int rank, int stream, Descriptor source, const std::string& label);

  // Writes a line of mpiexec itself.
  void say(std::string_view line);

  // What to wait for: input on events() while the writer is not blocked, and space
  // in the writer while it is.
  int events() const { return events_.number(); }
  const NonblockingWriter& writer() const { return writer_; }

  // Reads once, up to a pipe's capacity, from each source that is ready, until the writer is
  // blocked. False when no source was ready.
  bool pump();
  void flush();

  // When to call show_due() next: for an unfinished line on a terminal, which may be a
  // question, or for a line that the other ranks have not written.
  std::optional<Clock::time_point> due() const;
  void show_due(Clock::time_point now);

  // No more output is expected; unfinished lines are written as they are.
  void close_sources();

 private:
  struct Source {
    int rank;
    int stream;
    Descriptor descriptor;
    std::string label;
    LineSplitter lines;
  };

  void read_from(Source& source);
  void print(Source& source, std::string_view text);
  void show_unfinished();
  void finish(Source& source);

  NonblockingWriter writer_;
  bool terminal_;
  bool shows_time_ = false;
  std::vector<LineMerger> mergers_;  // by stream; empty without merge()
  Descriptor events_;                // epoll of the sources
  std::vector<Source> sources_;
  std::vector<epoll_event> ready_;
  std::vector<char> buffer_;
  std::optional<Clock::time_point> unfinished_due_;
};

}  // namespace atl::launcher
