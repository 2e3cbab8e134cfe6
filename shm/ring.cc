#include "shm/ring.h"

namespace atl::shm {

bool RingProducer::refresh() {
  // Pairs with RingConsumer::hand_back: the consumer has read those records
  // before this side overwrites them.
  const std::uint64_t consumed = ring_->consumed_.load_acquire();
  if (consumed == consumed_) return false;
  consumed_ = consumed;
  payload_free_from_ = payload_end_[(consumed - 1) % Ring::kSlots];
  return true;
}

Slot* RingProducer::claim(std::uint32_t length, std::uint32_t& index) {
  const std::uint64_t start = piece_position(payload_used_, length);
  const std::uint64_t end = start + length;
  const auto fits = [&] {
    return next_ - consumed_ < Ring::kSlots && end - payload_free_from_ <= Ring::kPayload;
  };
  if (!fits() && !(refresh() && fits())) return nullptr;
  index = static_cast<std::uint32_t>(start % Ring::kPayload);
  payload_used_ = end;
  return &ring_->slots_[next_ % Ring::kSlots];
}

void RingConsumer::hand_back() {
  // Pairs with RingProducer::refresh: all reads of the records before this.
  ring_->consumed_.store_release(next_);
  handed_back_ = next_;
  payload_since_ = 0;
}

}  // namespace atl::shm
