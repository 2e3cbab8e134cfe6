#include "launcher/stdio/nonblocking_writer.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>

#include "launcher/stdio/line_splitter.h"

namespace atl::launcher {
namespace {

bool may_block(int descriptor) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return false;
  return S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode) || ::isatty(descriptor) == 1;
}

bool takes_more(int descriptor) {
  pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&ready, 1, 0) == 1;
}

}  // namespace

NonblockingWriter::NonblockingWriter(int descriptor)
    : descriptor_(descriptor), may_block_(may_block(descriptor)) {}

void NonblockingWriter::write(int source, std::string_view text, std::string_view label) {
  if (text.empty() || error_ != 0) return;
  if (open_line_of_ != kNobody && open_line_of_ != source) {
    put("\n");
    open_line_of_ = kNobody;
  }
  if (label.empty()) {
    put(text);
  } else {
    put(labelled(text, label, open_line_of_ == kNobody));
  }
  open_line_of_ = text.back() == '\n' ? kNobody : source;
}

void NonblockingWriter::put(std::string_view text) {
  if (!blocked()) text.remove_prefix(write_some(text));
  if (error_ == 0) kept_ += text;
}

void NonblockingWriter::flush() {
  kept_.erase(0, write_some(kept_));
  if (error_ != 0) kept_.clear();
}

std::size_t NonblockingWriter::write_some(std::string_view text) {
  // A pipe that is ready accepts PIPE_BUF bytes without waiting. The descriptor is
  // shared with other programs, so it cannot be made non-blocking.
  const std::size_t piece = may_block_ ? PIPE_BUF : text.size();
  std::size_t done = 0;
  while (done < text.size()) {
    if (may_block_ && !takes_more(descriptor_)) break;
    const ssize_t written =
        ::write(descriptor_, text.data() + done, std::min(piece, text.size() - done));
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      error_ = errno;
      break;
    }
  }
  return done;
}

bool same_file(int a, int b) {
  struct stat first {};
  struct stat second {};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino && first.st_rdev == second.st_rdev;
}

}  // namespace atl::launcher
