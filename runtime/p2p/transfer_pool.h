// This rank's Transfer records: which are free, whose the others are, and which are over here
// but perhaps still looked at by the receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "base/check.h"
#include "runtime/core/process.h"
#include "runtime/p2p/request.h"
#include "shm/segment.h"

namespace atl::p2p {

class TransferPool {
 public:
  TransferPool(shm::Segment& segment, std::uint32_t rank) : segment_(segment), rank_(rank) {}

  // For a send. Nothing when all are in use and there is no memory for more.
  std::optional<std::uint32_t> take(const Request& send) {
    if (free_ == kNone) reclaim();
    if (free_ == kNone && !make()) return std::nullopt;
    const std::uint32_t index = free_;
    free_ = records_[index].next;
    ATL_DCHECK(records_[index].send == nullptr);
    records_[index].send = &send;
    return index;
  }

  // There is none at all, so that none will ever be given back.
  bool none() const { return records_.empty(); }

  // The send that has taken it; null when there is none.
  const Request* send_of(std::uint32_t index) const {
    return index < records_.size() ? records_[index].send : nullptr;
  }

  // The receiver is done with it.
  void give_back(std::uint32_t index) {
    ATL_DCHECK(index < records_.size());
    records_[index] = {.next = free_};
    free_ = index;
  }

  // It is over here; the receiver will say its last word when it is there as well.
  void retire(std::uint32_t index) {
    ATL_DCHECK(index < records_.size());
    records_[index] = {};
    if (retired_ == kNone) {
      retired_ = index;
    } else {
      records_[last_retired_].next = index;
    }
    last_retired_ = index;
  }

  shm::Transfer& at(std::uint32_t index) { return segment_.transfer(rank_, index); }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  struct Record {
    std::uint32_t next = kNone;  // of those that are free, or of those that are retired
    const Request* send = nullptr;
  };

  // One more that is free. False when there is no memory for it.
  bool make() {
    const auto index = static_cast<std::uint32_t>(records_.size());
    if (index >= settings.transfers) return false;
    try {
      records_.emplace_back();
    } catch (const std::bad_alloc&) {
      return false;
    }
    if (!segment_.make_transfer(rank_, index)) {
      records_.pop_back();
      return false;
    }
    give_back(index);
    return true;
  }

  // Looks at some, the oldest first. A receiver may never look at one again, which then
  // stands behind all others.
  void reclaim() {
    constexpr int kLooks = 8;
    for (int i = 0; i < kLooks && retired_ != kNone; ++i) {
      const std::uint32_t index = retired_;
      retired_ = records_[index].next;
      if (at(index).state() == shm::TransferState::received) {
        give_back(index);
      } else {
        retire(index);
      }
    }
  }

  shm::Segment& segment_;
  std::uint32_t rank_;
  std::vector<Record> records_;    // each that was ever used
  std::uint32_t free_ = kNone;     // last in, first out: few pages are touched
  std::uint32_t retired_ = kNone;  // first in, first out
  std::uint32_t last_retired_ = kNone;
};

}  // namespace atl::p2p
