// A descriptor of mpiexec to which the output of the ranks is written.
#pragma once

#include <string>
#include <string_view>

namespace atl::launcher {

// Never waits: bytes that cannot be written at once are stored, and the caller writes no more
// while the writer is blocked().
class NonblockingWriter {
 public:
  explicit NonblockingWriter(int descriptor);

  int descriptor() const { return descriptor_; }

  // Appends `text` of `source` (any number that identifies the writer). When
  // another source has left a line unfinished, it is ended first. Each line that
  // begins in `text` gets the label.
  void write(int source, std::string_view text, std::string_view label);

  // Tries to write the stored bytes.
  void flush();

  bool blocked() const { return !kept_.empty(); }
  int error() const { return error_; }  // errno of a failed write; later text is dropped

 private:
  void put(std::string_view text);
  std::size_t write_some(std::string_view text);  // bytes written now

  int descriptor_;
  bool may_block_;              // a pipe, terminal or socket
  int open_line_of_ = kNobody;  // source of the unfinished line
  int error_ = 0;
  std::string kept_;

  static constexpr int kNobody = -2;
};

// True when both descriptors are the same file, so that one writer serves both.
bool same_file(int a, int b);

}  // namespace atl::launcher
