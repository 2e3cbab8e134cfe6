// The ring from one rank to another: single producer, single consumer.
//
//   line 0      sender_, receiver_, payload_bytes_                constant
//   line 1      consumed_, payload_consumed_, rendezvous_only_    written by the consumer, rarely
//   slots_      kSlots cache lines                                written by the producer
//   payload_    payload_bytes_ bytes                              written by the producer
//
// A packet occupies one slot; data that does not fit into the slot is one fragment in `payload_`.
// Positions count slots (or payload bytes) since the ring was made and never wrap; an index is a
// position modulo the ring's size. Both sides know the lengths of the fragments, so both compute
// the same payload positions.
//
// Storing `turn`, the number of the lap, publishes the packet. A slot of an earlier lap has an
// earlier turn, so the consumer never writes to a slot, and a small packet costs one transfer of a
// cache line: the consumer polls the very line that contains the packet. A producer that dies
// before that store has published nothing, and the consumer never sees the slot it had claimed.
//
// The consumer returns slots and payload to the producer by storing its two positions, whenever it
// has released a quarter of the slots or of the payload. The producer reads that line only when
// the ring is full according to the positions that it read last, and before each message while
// rendezvous_only_ was set when it read the line last. The consumer sets rendezvous_only_, in the
// same line, when it has no memory for more unexpected messages; the producer sees this within one
// lap.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "base/shared.h"
#include "shm/base/cache_line.h"
#include "shm/base/line_latency.h"

namespace atl::shm {

struct alignas(kCacheLine) Slot {
  static constexpr std::size_t kBytes = kCacheLine - 2;

  Shared<std::uint16_t> turn;
  std::byte bytes[kBytes];  // the packet header, and the data if it fits
};
static_assert(sizeof(Slot) == kCacheLine);

class Ring {
 public:
#ifdef ATOLL_RING_SLOTS  // --config=small_rings: tests with rings that are often full
  static constexpr std::uint32_t kSlots = ATOLL_RING_SLOTS;
#else
  static constexpr std::uint32_t kSlots = 128;
#endif
  // Bytes of payload, a power of two.
  static constexpr std::uint32_t kLeastPayload = 128 * 1024;
  static constexpr std::uint32_t kMostPayload = 1024 * 1024;
  // The longest fragment of payload, in bytes. Less than a quarter of the payload is consumed but
  // not yet returned, and less than a quarter is lost at the end of the ring. A fragment therefore
  // always fits once the consumer has consumed everything.
  static constexpr std::uint32_t kMaxFragment = kLeastPayload / 4;

  // Size of a ring with `payload` bytes of payload, in bytes.
  static constexpr std::size_t bytes(std::uint32_t payload) {
    return sizeof(Ring) - kMostPayload + payload;
  }

  // Called once, by the sender, on bytes(payload) bytes of zeroed memory.
  void construct(std::uint32_t sender, std::uint32_t receiver, std::uint32_t payload) {
    ATL_CHECK(payload_bytes_ == 0, "a ring is to be made where there is one already");
    sender_ = sender;
    receiver_ = receiver;
    payload_bytes_ = payload;
  }

  std::uint32_t sender() const { return sender_; }
  std::uint32_t receiver() const { return receiver_; }

  // Size of the payload, in bytes. Either end stores a copy when it attaches, because another
  // process may overwrite the field later by mistake.
  std::uint32_t checked_payload_bytes() const {
    const std::uint32_t bytes = payload_bytes_;
    ATL_CHECK(bytes >= kLeastPayload && bytes <= kMostPayload && std::has_single_bit(bytes),
              "a ring's payload has a size that none has");
    return bytes;
  }

 private:
  friend class RingProducer;
  friend class RingConsumer;

  std::uint32_t sender_;
  std::uint32_t receiver_;
  std::uint32_t payload_bytes_;
  alignas(kCacheLine) Shared<std::uint64_t> consumed_;  // slots
  Shared<std::uint64_t> payload_consumed_;              // bytes, stored before consumed_
  Shared<std::uint32_t> rendezvous_only_;  // the consumer accepts no more eager messages
  alignas(kCacheLine) Slot slots_[kSlots];
  alignas(kCacheLine) std::byte payload_[kMostPayload];  // the first payload_bytes_ exist
};

// Turn of the slot at `position`: 1 on the first lap, never the value that the previous lap left
// there. It wraps after 65536 laps. This is harmless, because the consumer compares it only with
// the turn that follows the one in the slot.
constexpr std::uint16_t turn_at(std::uint64_t position) {
  return static_cast<std::uint16_t>(position / Ring::kSlots + 1);
}

// Position of a fragment of `length` bytes when the previous fragment ended at `used`: `used`, or
// the start of the ring's `payload` bytes if the fragment would cross their end.
constexpr std::uint64_t fragment_start(std::uint64_t used, std::uint32_t length,
                                       std::uint32_t payload) {
  const std::uint64_t index = used & (payload - 1);
  return index + length > payload ? used + (payload - index) : used;
}

// Position after that fragment, at a cache line boundary, so that no two fragments share a line.
constexpr std::uint64_t fragment_end(std::uint64_t used, std::uint32_t length,
                                     std::uint32_t payload) {
  return fragment_start(used, length, payload) + round_up(length, kCacheLine);
}

// The sender's end; lives in its private memory.
class RingProducer {
 public:
  RingProducer() = default;
  explicit RingProducer(Ring* ring)
      : ring_(ring), payload_bytes_(ring->checked_payload_bytes()), open_(true) {}

  bool connected() const { return ring_ != nullptr; }

  // The slot for the next packet, or null when the ring is full. The caller must write and publish
  // it before the next claim.
  Slot* claim() {
    if (__builtin_expect(next_ - consumed_ >= Ring::kSlots, 0) && !refresh()) return nullptr;
    ATL_DCHECK(next_ - consumed_ < Ring::kSlots);
    return &ring_->slots_[next_ % Ring::kSlots];
  }

  // As claim(), with `length` (at most kMaxFragment) bytes of payload at payload(index). Null when
  // slots or payload are full.
  Slot* claim(std::uint32_t length, std::uint32_t& index);

  std::byte* payload(std::uint32_t index) { return ring_->payload_ + index; }

  // True when there is a ring and its consumer accepted eager messages when this side last read
  // rendezvous_only_.
  bool open() const { return open_; }

  // Reads rendezvous_only_ again.
  void refresh_open() {
    // Relaxed: a hint that orders nothing.
    open_ = ring_->rendezvous_only_.load_relaxed() == 0;
  }

  // Ticks that a cache line takes from the receiver's core to this one.
  std::uint64_t line_latency() const { return line_latency_.ticks(); }

  // Publishes the claimed slot, after the caller has written the packet and its fragment.
  void publish(Slot* slot) {
    ATL_DCHECK(slot == &ring_->slots_[next_ % Ring::kSlots]);  // claimed, and not yet published
    // Pairs with RingConsumer::peek(): the packet's bytes come before its turn.
    slot->turn.store_release(turn_at(next_));
    ++next_;
    // The consumer read that line on the last lap and still has it in its cache. Fetching it early
    // overlaps the cache-line transfers of messages that follow each other closely.
    prefetch_to_write(&ring_->slots_[(next_ + kAhead) % Ring::kSlots]);
  }

 private:
  static constexpr std::uint32_t kAhead = 4;  // slots

  bool refresh();
  bool refresh_timed();

  Ring* ring_ = nullptr;
  std::uint32_t payload_bytes_ = 0;     // of the ring
  bool open_ = false;                   // not Ring::rendezvous_only_ when last read
  std::uint64_t next_ = 0;              // position of the slot to write
  std::uint64_t consumed_ = 0;          // Ring::consumed_ when last read
  std::uint64_t payload_used_ = 0;      // payload position after the last fragment
  std::uint64_t payload_consumed_ = 0;  // Ring::payload_consumed_ when last read
  LineLatency line_latency_;
};

// The receiver's end; lives in its private memory.
class RingConsumer {
 public:
  RingConsumer() = default;
  explicit RingConsumer(Ring* ring)
      : ring_(ring),
        next_slot_(&ring->slots_[0]),
        payload_bytes_(ring->checked_payload_bytes()),
        sender_(ring->sender()) {}

  std::uint32_t sender() const { return sender_; }

  // The oldest packet, or null. It stays valid until release().
  const Slot* peek() const {
    // Pairs with RingProducer::publish(): after seeing the turn, the consumer sees the packet.
    return next_slot_->turn.load_acquire() == turn_ ? next_slot_ : nullptr;
  }

  // For a consumer that reads several packets in a row: fetches a later slot's line while the
  // consumer reads the current slot.
  void prefetch() const {
    constexpr std::uint32_t kAhead = 2;  // slots
    __builtin_prefetch(&ring_->slots_[(next_ + kAhead) % Ring::kSlots]);
  }

  // A fragment of payload, at the index and of the length that the packet header states.
  const std::byte* payload(std::uint32_t index, std::uint32_t length) const {
    ATL_CHECK(index <= payload_bytes_ && length <= payload_bytes_ - index,
              "a record in a ring names payload outside of it");
    return ring_->payload_ + index;
  }

  // Releases the oldest packet. True when this stored the positions for the producer, which may be
  // asleep waiting for free space.
  [[nodiscard]] bool release() {
    ATL_DCHECK(peek() != nullptr);
    ++next_;
    next_slot_ = &ring_->slots_[next_ % Ring::kSlots];
    turn_ = turn_at(next_);
    if (__builtin_expect(next_ - handed_back_ < Ring::kSlots / 4, 1)) return false;
    hand_back();
    return true;
  }

  // As release(), for a packet with payload; `length` is that of the claim.
  [[nodiscard]] bool release(std::uint32_t length) {
    payload_used_ = fragment_end(payload_used_, length, payload_bytes_);
    if (release()) return true;
    if (payload_used_ - payload_handed_back_ < payload_bytes_ / 4) return false;
    hand_back();
    return true;
  }

  // Sets whether this side refuses eager messages, so that the producer sends an RTS for each. The
  // sender may call this too, before it sends the first packet through a new ring.
  void set_rendezvous_only(bool wanted) {
    // Relaxed: a hint that orders nothing.
    ring_->rendezvous_only_.store_relaxed(wanted ? 1 : 0);
  }

 private:
  void hand_back();

  Ring* ring_ = nullptr;
  const Slot* next_slot_ = nullptr;
  std::uint64_t next_ = 0;                 // position of the slot to read
  std::uint64_t handed_back_ = 0;          // Ring::consumed_
  std::uint64_t payload_used_ = 0;         // payload position after the last fragment released
  std::uint64_t payload_handed_back_ = 0;  // Ring::payload_consumed_
  std::uint32_t payload_bytes_ = 0;        // of the ring
  std::uint32_t sender_ = 0;
  std::uint16_t turn_ = 1;  // turn of the slot to read
};

}  // namespace atl::shm
