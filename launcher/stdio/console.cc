#include "launcher/stdio/console.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace atl::launcher {

template <class Visit>
void Console::for_each(Visit&& visit) {
  visit(*output_);
  if (own_error_) visit(*own_error_);
}

Console::Console(const OutputChoice& choice)
    : output_(std::make_unique<OutputForwarder>(STDOUT_FILENO)),
      own_error_(same_file(STDOUT_FILENO, STDERR_FILENO)
                     ? nullptr
                     : std::make_unique<OutputForwarder>(STDERR_FILENO)),
      error_(own_error_ ? own_error_.get() : output_.get()) {
  watches_[0].forwarder = output_.get();
  watches_[1].forwarder = own_error_.get();
  for_each([&](OutputForwarder& forwarder) {
    if (choice.time) forwarder.show_time();
    if (choice.merge) forwarder.merge();
  });
}

void Console::say(std::string_view text) { error_->say("mpiexec: " + std::string(text)); }

void Console::watch(Poller& poller, std::uint64_t tag) {
  for (Watch& watch : watches_) {
    if (watch.forwarder == nullptr) continue;
    const NonblockingWriter& writer = watch.forwarder->writer();
    const int wanted = writer.blocked() ? writer.descriptor() : watch.forwarder->events();
    if (wanted == watch.watched) continue;
    if (watch.watched >= 0) poller.remove(watch.watched);
    poller.add(wanted, writer.blocked() ? EPOLLOUT : EPOLLIN, tag);
    watch.watched = wanted;
  }
}

void Console::advance() {
  for_each([](OutputForwarder& forwarder) {
    forwarder.flush();
    forwarder.pump();
  });
}

void Console::finish() {
  for_each([](OutputForwarder& forwarder) {
    const auto wait_for_reader = [&forwarder] {
      while (forwarder.writer().blocked()) {
        pollfd ready{.fd = forwarder.writer().descriptor(), .events = POLLOUT, .revents = 0};
        ::poll(&ready, 1, -1);
        forwarder.flush();
      }
    };
    do {
      wait_for_reader();
    } while (forwarder.pump());
    forwarder.close_sources();
    wait_for_reader();
  });
}

std::optional<Clock::time_point> Console::due() const {
  const auto due = output_->due();
  const auto other = error_->due();
  return due && other ? std::min(*due, *other) : due ? due : other;
}

void Console::show_due(Clock::time_point now) {
  for_each([now](OutputForwarder& forwarder) { forwarder.show_due(now); });
}

bool Console::output_is_broken() const {
  if (output_->writer().error() != 0) return true;
  pollfd state{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

}  // namespace atl::launcher
