#include "shm/ring.h"

#include "base/clock.h"

namespace atl::shm {

bool RingProducer::refresh() {
  // Both acquires pair with RingConsumer::hand_back(): the consumer has read those packets before
  // this side overwrites them. In this order, so that payload_consumed covers the fragments of all
  // slots that `consumed` covers.
  const std::uint64_t consumed = ring_->consumed_.load_acquire();
  if (consumed == consumed_) return false;
  const std::uint64_t payload_consumed = ring_->payload_consumed_.load_acquire();  // as above
  ATL_CHECK(consumed - consumed_ <= next_ - consumed_ &&
                payload_consumed - payload_consumed_ <= payload_used_ - payload_consumed_,
            "the receiver of a ring has read more than was written");
  consumed_ = consumed;
  payload_consumed_ = payload_consumed;
  refresh_open();
  return true;
}

bool RingProducer::refresh_timed() {
  std::uint64_t ticks;
  if (!timed(ticks, [&] { return refresh(); })) return false;
  line_latency_.note(ticks);
  return true;
}

Slot* RingProducer::claim(std::uint32_t length, std::uint32_t& index) {
  ATL_DCHECK(length <= Ring::kMaxFragment);  // a longer one might never fit
  const std::uint64_t end = fragment_end(payload_used_, length, payload_bytes_);
  const auto fits = [&] {
    return next_ - consumed_ < Ring::kSlots && end - payload_consumed_ <= payload_bytes_;
  };
  if (!fits() && !(refresh_timed() && fits())) return nullptr;
  index = static_cast<std::uint32_t>(fragment_start(payload_used_, length, payload_bytes_) &
                                     (payload_bytes_ - 1));
  payload_used_ = end;
  return &ring_->slots_[next_ % Ring::kSlots];
}

void RingConsumer::hand_back() {
  // Both stores pair with RingProducer::refresh(): all reads of the packets come before them.
  ring_->payload_consumed_.store_release(payload_used_);
  ring_->consumed_.store_release(next_);
  payload_handed_back_ = payload_used_;
  handed_back_ = next_;
}

}  // namespace atl::shm
