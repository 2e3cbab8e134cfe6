// Waiting for several descriptors at once.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

#include "launcher/base/descriptor.h"

namespace atl::launcher {

class Poller {
 public:
  Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

  // wait() returns `tag` when `descriptor` is ready for `events` (EPOLLIN, EPOLLOUT).
  void add(int descriptor, std::uint32_t events, std::uint64_t tag) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = tag;
    ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event);
  }
  void remove(int descriptor) { ::epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, descriptor, nullptr); }

  // The ready descriptors, in the order in which they became ready; none when
  // `milliseconds` have passed (-1: no limit). Valid until the next call.
  std::span<const epoll_event> wait(int milliseconds) {
    const int count =
        ::epoll_wait(epoll_.number(), ready_.data(), static_cast<int>(ready_.size()), milliseconds);
    return {ready_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }

 private:
  Descriptor epoll_;
  std::array<epoll_event, 256> ready_;
};

}  // namespace atl::launcher
