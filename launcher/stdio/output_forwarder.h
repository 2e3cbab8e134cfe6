// The output of all ranks on its way into one writer, line by line.
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

  // Each line says when it came.
  void show_time() { shows_time_ = true; }
  // Lines that ranks have in common come once.
  void merge();

  // Output (0) or errors (1) of a rank arrive at `source`.
  void add(int rank, int stream, Descriptor source, const std::string& label);

  // A line of mpiexec's own.
  void say(std::string_view line);

  // What to wait for: input on events() while the writer is not blocked, and room
  // in the writer while it is.
  int events() const { return events_.number(); }
  const NonblockingWriter& writer() const { return writer_; }

  // Takes from each rank what its pipe holds, until the writer is blocked. False
  // when there was nothing.
  bool pump();
  void flush();

  // When something is to be shown that has not been yet: an unfinished line at a
  // terminal, which may be a question, or a line that others have not written.
  std::optional<Clock::time_point> due() const;
  void show_due(Clock::time_point now);

  // No more output is expected; what is unfinished goes out as it is.
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
  std::vector<LineMerger> mergers_;  // of each stream, or none
  Descriptor events_;                // an epoll of the sources
  std::vector<Source> sources_;
  std::vector<epoll_event> ready_;
  std::vector<char> buffer_;
  std::optional<Clock::time_point> unfinished_due_;
};

}  // namespace atl::launcher
