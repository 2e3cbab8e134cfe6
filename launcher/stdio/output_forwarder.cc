#include "launcher/stdio/output_forwarder.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <ctime>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

constexpr int kMpiexec = -1;                   // as a source
constexpr std::size_t kReadBytes = 64 * 1024;  // the capacity of a pipe
constexpr auto kShowUnfinishedAfter = std::chrono::milliseconds(50);

// "12:03:44.125 ", or nothing.
std::string now_in_words(bool wanted) {
  if (!wanted) return {};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  ::localtime_r(&now.tv_sec, &local);
  return fmt::format("{:02}:{:02}:{:02}.{:03} ", local.tm_hour, local.tm_min, local.tm_sec,
                     now.tv_nsec / 1000000);
}

}  // namespace

OutputForwarder::OutputForwarder(int descriptor)
    : writer_(descriptor),
      terminal_(::isatty(descriptor) == 1),
      events_(::epoll_create1(EPOLL_CLOEXEC)) {}

void OutputForwarder::merge() {
  const auto print = [this](const std::vector<int>& ranks, std::string_view line) {
    writer_.write(kMpiexec, line, now_in_words(shows_time_) + fmt::format("[{}] ", ranges(ranks)));
  };
  mergers_ = {LineMerger(print), LineMerger(print)};
}

void OutputForwarder::add(int rank, int stream, Descriptor source, const std::string& label) {
  if (!mergers_.empty()) mergers_[static_cast<std::size_t>(stream)].open(rank);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = sources_.size();
  ::epoll_ctl(events_.number(), EPOLL_CTL_ADD, source.number(), &event);
  sources_.push_back({rank, stream, std::move(source), label, {}});
  buffer_.resize(kReadBytes);
}

void OutputForwarder::say(std::string_view line) {
  writer_.write(kMpiexec, std::string(line) + '\n', "");
}

bool OutputForwarder::pump() {
  if (writer_.blocked() || sources_.empty()) return false;
  ready_.resize(sources_.size());
  const int count =
      ::epoll_wait(events_.number(), ready_.data(), static_cast<int>(ready_.size()), 0);
  for (int i = 0; i < count && !writer_.blocked(); ++i) {
    read_from(sources_[ready_[static_cast<std::size_t>(i)].data.u64]);
  }
  return count > 0;
}

void OutputForwarder::read_from(Source& source) {
  const ssize_t count = ::read(source.descriptor.number(), buffer_.data(), buffer_.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    finish(source);
    return;
  }
  source.lines.feed({buffer_.data(), static_cast<std::size_t>(count)},
                    [&](std::string_view text) { print(source, text); });
  if (writer_.error() != 0) {
    close_sources();  // the ranks get SIGPIPE, as without mpiexec
  } else if (terminal_ && mergers_.empty() && source.lines.has_rest() && !unfinished_due_) {
    unfinished_due_ = Clock::now() + kShowUnfinishedAfter;
  }
}

void OutputForwarder::print(Source& source, std::string_view text) {
  if (mergers_.empty()) {
    writer_.write(2 * source.rank + source.stream, text, now_in_words(shows_time_) + source.label);
    return;
  }
  LineMerger& merger = mergers_[static_cast<std::size_t>(source.stream)];
  merger.add(source.rank, text, Clock::now());
  merger.advance(Clock::now());
}

void OutputForwarder::finish(Source& source) {
  print(source, source.lines.take_rest());
  source.descriptor.close();
  if (mergers_.empty()) return;
  LineMerger& merger = mergers_[static_cast<std::size_t>(source.stream)];
  merger.close(source.rank);
  merger.advance(Clock::now());
}

void OutputForwarder::flush() {
  writer_.flush();
  if (writer_.error() != 0) close_sources();
}

std::optional<Clock::time_point> OutputForwarder::due() const {
  std::optional<Clock::time_point> first = unfinished_due_;
  for (const LineMerger& merger : mergers_) {
    const auto due = merger.due();
    if (due && (!first || *due < *first)) first = due;
  }
  return first;
}

void OutputForwarder::show_due(Clock::time_point now) {
  if (unfinished_due_ && *unfinished_due_ <= now) show_unfinished();
  for (LineMerger& merger : mergers_) merger.advance(now);
}

void OutputForwarder::show_unfinished() {
  unfinished_due_.reset();
  for (Source& source : sources_) print(source, source.lines.take_rest());
}

void OutputForwarder::close_sources() {
  for (Source& source : sources_) {
    if (source.descriptor.open()) finish(source);
  }
}

}  // namespace atl::launcher
