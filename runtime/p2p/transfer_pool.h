// This rank's Transfer records: which are free, and which are over here but
// perhaps still looked at by the receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "runtime/core/process.h"
#include "shm/segment.h"

namespace atl::p2p {

class TransferPool {
 public:
  TransferPool(shm::Segment& segment, std::uint32_t rank) : segment_(segment), rank_(rank) {}

  // Nothing when all are in use and there is no memory for more.
  std::optional<std::uint32_t> take() {
    if (free_ == kNone) reclaim();
    if (free_ == kNone) return make();
    const std::uint32_t index = free_;
    free_ = next_[index];
    return index;
  }

  // There is none at all, so that none will ever be given back.
  bool none() const { return next_.empty(); }

  // The receiver is done with it.
  void give_back(std::uint32_t index) {
    next_[index] = free_;
    free_ = index;
  }

  // It is over here; the receiver will say its last word when it is there as well.
  void retire(std::uint32_t index) {
    next_[index] = kNone;
    if (retired_ == kNone) {
      retired_ = index;
    } else {
      next_[last_retired_] = index;
    }
    last_retired_ = index;
  }

  shm::Transfer& at(std::uint32_t index) { return segment_.transfer(rank_, index); }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  std::optional<std::uint32_t> make() {
    const auto index = static_cast<std::uint32_t>(next_.size());
    if (index >= settings.transfers) return std::nullopt;
    try {
      next_.push_back(kNone);
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
    if (segment_.make_transfer(rank_, index)) return index;
    next_.pop_back();
    return std::nullopt;
  }

  // Looks at some, the oldest first. A receiver may never look at one again, which then
  // stands behind all others.
  void reclaim() {
    constexpr int kLooks = 8;
    for (int i = 0; i < kLooks && retired_ != kNone; ++i) {
      const std::uint32_t index = retired_;
      retired_ = next_[index];
      if (at(index).state() == shm::TransferState::received) {
        give_back(index);
      } else {
        retire(index);
      }
    }
  }

  shm::Segment& segment_;
  std::uint32_t rank_;
  // Both are linked by next_, so that nothing is allocated when a transfer ends.
  std::vector<std::uint32_t> next_;  // for each record that was ever used
  std::uint32_t free_ = kNone;       // last in, first out: few pages are touched
  std::uint32_t retired_ = kNone;    // first in, first out
  std::uint32_t last_retired_ = kNone;
};

}  // namespace atl::p2p
