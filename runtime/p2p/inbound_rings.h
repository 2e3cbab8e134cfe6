// Which of this rank's inbound rings a poll visits, and in which order.
//
// With few senders, a poll visits all rings. With many, a fast poll visits those that recently
// had packets and a window of the others, which advances from poll to poll: its cost does not
// grow with the number of senders, and each ring is visited after a bounded number of polls. A
// complete poll visits all.
//
// A poll that ends early is continued behind its last ring by the next poll, so that no sender
// can starve the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shm/waiting.h"

namespace atl::p2p {

class InboundRings {
 public:
  static constexpr std::size_t kRecent = 16;
  static constexpr std::size_t kWindow = 8;

  // What a visit found in a ring.
  enum class Found : std::uint8_t {
    nothing,
    news,    // packets
    enough,  // packets, and the poll ends here
  };

  void add(std::uint32_t sender) { senders_.push_back(sender); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const std::uint32_t sender : senders_) visit(sender);
  }

  // Calls visit(sender) for the rings of one poll. True when any had packets.
  template <class Visit>
  bool visit(shm::PollMode mode, Visit visit) {
    if (mode != shm::PollMode::complete) return go_on(visit);
    return visit_each(next_of_all_, senders_.size(),
                      [&](std::size_t place) { return visit_at(place, visit); });
  }

  // The same, for the rings only that recently had packets.
  template <class Visit>
  bool visit_recent(Visit visit) {
    return visit_each(next_recent_, recent(),
                      [&](std::size_t place) { return visit(senders_[place]); });
  }

 private:
  std::size_t recent() const { return senders_.size() < kRecent ? senders_.size() : kRecent; }

  // Calls visit(i) for each i below `count`, cyclically from `next` on, until one returns
  // Found::enough.
  template <class Visit>
  static bool visit_each(std::size_t& next, std::size_t count, Visit visit) {
    bool news = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (next >= count) next = 0;
      const Found found = visit(next++);
      if (found == Found::enough) return true;
      news |= found == Found::news;
    }
    return news;
  }

  // Each fast poll continues an endless cycle: the recent rings, a window of the others, the
  // recent rings, the next window...
  template <class Visit>
  bool go_on(Visit visit) {
    const std::size_t others = senders_.size() - recent();
    const std::size_t stops = recent() + (others < kWindow ? others : kWindow);
    return visit_each(stop_, stops, [&](std::size_t stop) {
      if (stop < recent()) return visit_at(stop, visit);
      if (stop == recent()) window_ = window_ + kWindow < others ? window_ + kWindow : 0;
      return visit_at(recent() + (window_ + stop - recent()) % others, visit);
    });
  }

  template <class Visit>
  Found visit_at(std::size_t place, Visit visit) {
    const Found found = visit(senders_[place]);
    if (found != Found::nothing && place >= kRecent) {
      // It replaces the ring that has been a recent one for longest.
      std::swap(senders_[place], senders_[oldest_]);
      oldest_ = (oldest_ + 1) % kRecent;
    }
    return found;
  }

  std::vector<std::uint32_t> senders_;  // the first kRecent are the recent ones
  std::size_t stop_ = 0;                // of the cycle: the next
  std::size_t window_ = 0;              // where it begins among the others
  std::size_t next_recent_ = 0;
  std::size_t next_of_all_ = 0;
  std::size_t oldest_ = 0;  // of the recent ones
};

}  // namespace atl::p2p
