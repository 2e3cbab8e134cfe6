// This rank's Transfer records: which are free, and which are over here but
// perhaps still looked at by the receiver.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "shm/segment.h"

namespace atl::p2p {

class TransferPool {
 public:
  TransferPool(shm::Segment& segment, std::uint32_t rank) : segment_(segment), rank_(rank) {}

  // Nothing when all are in use.
  std::optional<std::uint32_t> take() {
    if (free_.empty()) reclaim();
    if (!free_.empty()) {
      const std::uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    if (fresh_ == shm::kTransfersPerRank) return std::nullopt;
    return fresh_++;
  }

  // The receiver is done with it.
  void give_back(std::uint32_t index) { free_.push_back(index); }

  // It is over here; the receiver will say `received` when it is there as well.
  void retire(std::uint32_t index) { retired_.push_back(index); }

  shm::Transfer& at(std::uint32_t index) { return segment_.transfer(rank_, index); }

 private:
  void reclaim() {
    while (!retired_.empty() && at(retired_.front()).state() == shm::TransferState::received) {
      free_.push_back(retired_.front());
      retired_.pop_front();
    }
  }

  shm::Segment& segment_;
  std::uint32_t rank_;
  std::vector<std::uint32_t> free_;  // last in, first out: few pages are touched
  std::deque<std::uint32_t> retired_;
  std::uint32_t fresh_ = 0;  // never used so far: [fresh_, kTransfersPerRank)
};

}  // namespace atl::p2p
