// This rank's rendezvous records: the free ones, those that a send owns, and the retired ones,
// which this rank no longer uses but the receiver may still access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "base/check.h"
#include "runtime/core/process.h"
#include "runtime/p2p/message_settings.h"
#include "runtime/p2p/request.h"
#include "shm/segment.h"

namespace atl::p2p {

class RendezvousPool {
 public:
  RendezvousPool(shm::Segment& segment, std::uint32_t rank) : segment_(segment), rank_(rank) {}

  // Takes a record for a send. Nothing when all are in use and there is no memory for more.
  std::optional<std::uint32_t> take(const Request& send) {
    if (free_ == kNone) reclaim();
    if (free_ == kNone && !make()) return std::nullopt;
    const std::uint32_t index = free_;
    free_ = records_[index].next;
    ATL_DCHECK(records_[index].send == nullptr);
    records_[index].send = &send;
    return index;
  }

  // This rank has no record at all, so that none will ever be given back.
  bool none() const { return records_.empty(); }

  // The send that owns the record; null when there is none.
  const Request* send_of(std::uint32_t index) const {
    return index < records_.size() ? records_[index].send : nullptr;
  }

  // Frees a record that the receiver no longer accesses.
  void give_back(std::uint32_t index) {
    ATL_DCHECK(index < records_.size());
    records_[index] = {.next = free_};
    free_ = index;
  }

  // This rank no longer uses the record. It becomes free when the receiver has acknowledged it.
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

  shm::RendezvousRecord& at(std::uint32_t index) { return segment_.rendezvous(rank_, index); }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  struct Entry {
    std::uint32_t next = kNone;  // in the list of the free or of the retired records
    const Request* send = nullptr;
  };

  // Makes one more free record. False when there is no memory for it.
  bool make() {
    const auto index = static_cast<std::uint32_t>(records_.size());
    if (index >= settings.rendezvous_records) return false;
    try {
      records_.emplace_back();
    } catch (const std::bad_alloc&) {
      return false;
    }
    if (!segment_.make_rendezvous(rank_, index)) {
      records_.pop_back();
      return false;
    }
    give_back(index);
    return true;
  }

  // Frees the acknowledged ones among the oldest retired records, of which it checks at most
  // kMostChecked. A receiver may never acknowledge some record, so each one that is not
  // acknowledged moves to the end of the list.
  void reclaim() {
    constexpr int kMostChecked = 8;
    for (int i = 0; i < kMostChecked && retired_ != kNone; ++i) {
      const std::uint32_t index = retired_;
      retired_ = records_[index].next;
      if (at(index).state() == shm::RendezvousState::received) {
        give_back(index);
      } else {
        retire(index);
      }
    }
  }

  shm::Segment& segment_;
  std::uint32_t rank_;
  std::vector<Entry> records_;     // all that were ever made
  std::uint32_t free_ = kNone;     // last in, first out: touches few pages
  std::uint32_t retired_ = kNone;  // first in, first out
  std::uint32_t last_retired_ = kNone;
};

}  // namespace atl::p2p
