#include "launcher/funnel.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace atl::launcher {
namespace {

constexpr int kMpiexec = -1;                   // as a writer
constexpr std::size_t kReadBytes = 64 * 1024;  // what a pipe holds
constexpr auto kShowUnfinishedAfter = std::chrono::milliseconds(50);

}  // namespace

Funnel::Funnel(int descriptor)
    : sink_(descriptor),
      terminal_(::isatty(descriptor) == 1),
      events_(::epoll_create1(EPOLL_CLOEXEC)) {}

void Funnel::add(int writer, Descriptor source, const std::string& label) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = sources_.size();
  ::epoll_ctl(events_.number(), EPOLL_CTL_ADD, source.number(), &event);
  sources_.push_back({writer, std::move(source), label, {}});
  buffer_.resize(kReadBytes);
}

void Funnel::say(std::string_view line) { sink_.write(kMpiexec, std::string(line) + '\n', ""); }

bool Funnel::pump() {
  if (sink_.blocked() || sources_.empty()) return false;
  ready_.resize(sources_.size());
  const int count =
      ::epoll_wait(events_.number(), ready_.data(), static_cast<int>(ready_.size()), 0);
  for (int i = 0; i < count && !sink_.blocked(); ++i) {
    read_from(sources_[ready_[static_cast<std::size_t>(i)].data.u64]);
  }
  return count > 0;
}

void Funnel::read_from(Source& source) {
  const ssize_t count = ::read(source.descriptor.number(), buffer_.data(), buffer_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    finish(source);
    return;
  }
  source.lines.feed({buffer_.data(), static_cast<std::size_t>(count)},
                    [&](std::string_view text) { sink_.write(source.writer, text, source.label); });
  if (sink_.error() != 0) {
    close_sources();  // the ranks learn it as they would without mpiexec
  } else if (terminal_ && source.lines.has_rest() && !unfinished_due_) {
    unfinished_due_ = Clock::now() + kShowUnfinishedAfter;
  }
}

void Funnel::finish(Source& source) {
  sink_.write(source.writer, source.lines.take_rest(), source.label);
  source.descriptor.close();
}

void Funnel::flush() {
  sink_.flush();
  if (sink_.error() != 0) close_sources();
}

void Funnel::show_unfinished() {
  unfinished_due_.reset();
  for (Source& source : sources_) {
    sink_.write(source.writer, source.lines.take_rest(), source.label);
  }
}

void Funnel::close_sources() {
  for (Source& source : sources_) {
    if (source.descriptor.open()) finish(source);
  }
}

}  // namespace atl::launcher
