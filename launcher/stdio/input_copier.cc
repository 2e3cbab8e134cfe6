#include "launcher/stdio/input_copier.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace atl::launcher {
namespace {

constexpr int kSource = 0;  // standard input
constexpr std::size_t kReadBytes = 64 * 1024;

// Also for a regular file, which is always ready and which epoll cannot watch.
bool ready(int descriptor) {
  pollfd state{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&state, 1, 0) == 1;
}

void watch(int events, int descriptor, unsigned what, bool on) {
  epoll_event event{};
  event.events = what;
  ::epoll_ctl(events, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, descriptor, &event);
}

}  // namespace

InputCopier::InputCopier() : events_(::epoll_create1(EPOLL_CLOEXEC)), buffer_(kReadBytes) {
  watch_source(true);
}

void InputCopier::add(Descriptor pipe) {
  ::fcntl(pipe.number(), F_SETFL, O_NONBLOCK);
  readers_.push_back({.pipe = std::move(pipe)});
}

bool InputCopier::advance() {
  if (all_taken() && !ended_ && ready(kSource)) read_more();
  hand_out();
  const bool source_is_next = all_taken() && !ended_ && !readers_.empty();
  watch_source(source_is_next);
  return source_is_next && ready(kSource);
}

void InputCopier::read_more() {
  const ssize_t count = ::read(kSource, buffer_.data(), buffer_.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  filled_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  for (Reader& reader : readers_) reader.taken = 0;
  if (count > 0) return;
  ended_ = true;
  readers_.clear();  // closes the pipes: the ranks see the end of the file
}

void InputCopier::hand_out() {
  for (Reader& reader : readers_) hand_to(reader);
  std::erase_if(readers_, [](const Reader& reader) { return !reader.pipe.open(); });
}

void InputCopier::hand_to(Reader& reader) {
  while (reader.taken < filled_) {
    const ssize_t count =
        ::write(reader.pipe.number(), buffer_.data() + reader.taken, filled_ - reader.taken);
    if (count >= 0) {
      reader.taken += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      watch_reader(reader, true);
      return;
    } else if (errno != EINTR) {
      reader.pipe.close();  // the rank has closed its standard input
      return;
    }
  }
  watch_reader(reader, false);
}

bool InputCopier::all_taken() const {
  return std::all_of(readers_.begin(), readers_.end(),
                     [this](const Reader& reader) { return reader.taken == filled_; });
}

void InputCopier::watch_source(bool on) {
  if (on != source_watched_) watch(events_.number(), kSource, EPOLLIN, on);
  source_watched_ = on;
}

void InputCopier::watch_reader(Reader& reader, bool on) {
  if (on != reader.awaited) watch(events_.number(), reader.pipe.number(), EPOLLOUT, on);
  reader.awaited = on;
}

}  // namespace atl::launcher
