// One descriptor of mpiexec that takes what the ranks write.
#pragma once

#include <string>
#include <string_view>

namespace atl::launcher {

// Never waits: what the reader does not take at once is kept, and whoever feeds
// the writer stops while it is blocked().
class NonblockingWriter {
 public:
  explicit NonblockingWriter(int descriptor);

  int descriptor() const { return descriptor_; }

  // Appends `text` of `source` (any number that tells writers apart). When
  // another source has left a line open, it is ended first. Each line that
  // begins gets the label.
  void write(int source, std::string_view text, std::string_view label);

  // Tries to write what was kept.
  void flush();

  bool blocked() const { return !kept_.empty(); }
  int error() const { return error_; }  // errno of a write that failed; nothing is taken after it

 private:
  void put(std::string_view text);
  std::size_t write_some(std::string_view text);  // bytes written now

  int descriptor_;
  bool may_block_;              // a pipe, terminal or socket
  int open_line_of_ = kNobody;  // who wrote the line that has not ended
  int error_ = 0;
  std::string kept_;

  static constexpr int kNobody = -2;
};

// True when both descriptors are the same file, so that one writer serves both.
bool same_file(int a, int b);

}  // namespace atl::launcher
