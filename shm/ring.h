// The ring from one rank to another: single producer, single consumer.
//
//   line 0      sender, receiver, size      constant
//   line 1      consumed_, payload_..., offers_only_   written by the consumer now and then
//   slots_      kSlots cache lines          written by the producer
//   payload_    payload_bytes_ bytes        written by the producer
//
// A record is one slot; what does not fit into it lies in `payload_`, in one
// piece. Positions count slots (or payload bytes) since the ring was made and
// never wrap; an index is a position modulo the ring's size. Both sides know
// the lengths of the pieces, so both compute the same payload positions.
//
// Writing `turn`, the number of the lap, publishes the record. A slot of an
// earlier lap has an earlier turn, so the consumer never writes to a slot, and
// a small record costs one cache-line transfer: the consumer polls the very
// line that brings it. A producer that dies before that store has published
// nothing, and what it claimed is simply never seen.
//
// The consumer hands slots and payload back by storing its two positions, once
// in a quarter of a lap of either; the producer reads that line only when it
// finds the ring full by what it knew. There the consumer also says when it has no memory
// for more data that nobody has asked for yet: a producer hears of it within a lap.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "base/shared.h"
#include "shm/base/cache_line.h"
#include "shm/base/hop.h"

namespace atl::shm {

struct alignas(kCacheLine) Slot {
  static constexpr std::size_t kBytes = kCacheLine - 2;

  Shared<std::uint16_t> turn;
  std::byte bytes[kBytes];  // the record's header, and its data if small
};
static_assert(sizeof(Slot) == kCacheLine);

class Ring {
 public:
#ifdef ATOLL_RING_SLOTS  // --config=small_rings: they are full all the time
  static constexpr std::uint32_t kSlots = ATOLL_RING_SLOTS;
#else
  static constexpr std::uint32_t kSlots = 128;
#endif
  // Bytes of payload, a power of two.
  static constexpr std::uint32_t kLeastPayload = 128 * 1024;
  static constexpr std::uint32_t kMostPayload = 1024 * 1024;
  // The longest piece of payload. With less than a quarter consumed and not yet
  // handed back, and less than a quarter lost at the end of the ring, it always
  // fits once the consumer has caught up.
  static constexpr std::uint32_t kMaxPiece = kLeastPayload / 4;

  // Bytes of a ring with so much payload.
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

  // The payload's size, for either end to keep: what it finds later may be damaged.
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
  Shared<std::uint32_t> offers_only_;                   // the consumer wants no data unasked
  alignas(kCacheLine) Slot slots_[kSlots];
  alignas(kCacheLine) std::byte payload_[kMostPayload];  // the first payload_bytes_ exist
};

// Turn of the slot at `position`: 1 on the first lap, never the value that the
// lap before left there. It wraps after 65536 laps, which is harmless, because
// it is only ever compared with the turn that follows the one in the slot.
constexpr std::uint16_t turn_at(std::uint64_t position) {
  return static_cast<std::uint16_t>(position / Ring::kSlots + 1);
}

// Where a piece of `length` bytes goes when the piece before it ended at `used`:
// right there, or at the start of the ring's `payload` when it would cross the end.
constexpr std::uint64_t piece_start(std::uint64_t used, std::uint32_t length,
                                    std::uint32_t payload) {
  const std::uint64_t index = used & (payload - 1);
  return index + length > payload ? used + (payload - index) : used;
}

// Where that piece ends: at a cache line, so that no two pieces share one.
constexpr std::uint64_t piece_end(std::uint64_t used, std::uint32_t length, std::uint32_t payload) {
  return piece_start(used, length, payload) + round_up(length, kCacheLine);
}

// The sender's end; lives in its private memory.
class RingProducer {
 public:
  RingProducer() = default;
  explicit RingProducer(Ring* ring)
      : ring_(ring), payload_bytes_(ring->checked_payload_bytes()), open_(true) {}

  bool connected() const { return ring_ != nullptr; }

  // The slot for the next record, or null when the ring is full. What is
  // claimed must be written and published, before the next claim.
  Slot* claim() {
    if (__builtin_expect(next_ - consumed_ >= Ring::kSlots, 0) && !refresh()) return nullptr;
    ATL_DCHECK(next_ - consumed_ < Ring::kSlots);
    return &ring_->slots_[next_ % Ring::kSlots];
  }

  // As claim(), with room for `length` (at most kMaxPiece) bytes of payload at
  // payload(index). Null when either is full.
  Slot* claim(std::uint32_t length, std::uint32_t& index);

  std::byte* payload(std::uint32_t index) { return ring_->payload_ + index; }

  // There is a ring, and its consumer takes data that it has not asked for: by the last look
  // at its line.
  bool open() const { return open_; }

  // Looks again.
  void look_whether_open() {
    // Relaxed: a hint that orders nothing.
    open_ = ring_->offers_only_.load_relaxed() == 0;
  }

  // From the receiver's core to this one.
  std::uint64_t hop() const { return hop_.ticks(); }

  // Publishes the claimed slot; all of its bytes were written before.
  void publish(Slot* slot) {
    ATL_DCHECK(slot == &ring_->slots_[next_ % Ring::kSlots]);  // claimed, and not yet published
    // Pairs with RingConsumer::peek: the record's bytes before its turn.
    slot->turn.store_release(turn_at(next_));
    ++next_;
    // The consumer read that line on the last lap and still has it: taking it
    // early overlaps the transfers of messages that follow each other closely.
    prefetch_to_write(&ring_->slots_[(next_ + kAhead) % Ring::kSlots]);
  }

 private:
  static constexpr std::uint32_t kAhead = 4;  // slots

  bool refresh();
  bool refresh_timed();

  Ring* ring_ = nullptr;
  std::uint32_t payload_bytes_ = 0;     // of the ring
  bool open_ = false;                   // not Ring::offers_only_ when last read
  std::uint64_t next_ = 0;              // position of the slot to write
  std::uint64_t consumed_ = 0;          // Ring::consumed_ when last read
  std::uint64_t payload_used_ = 0;      // payload position behind the last piece
  std::uint64_t payload_consumed_ = 0;  // Ring::payload_consumed_ when last read
  Hop hop_;
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

  // The oldest record, or null. It stays valid until release().
  const Slot* peek() const {
    // Pairs with RingProducer::publish: whoever sees the turn sees the record.
    return next_slot_->turn.load_acquire() == turn_ ? next_slot_ : nullptr;
  }

  // For a consumer that takes a row of records: a line to come travels while the
  // one at hand is being read.
  void prefetch() const {
    constexpr std::uint32_t kAhead = 2;  // slots
    __builtin_prefetch(&ring_->slots_[(next_ + kAhead) % Ring::kSlots]);
  }

  // A piece of payload, at the place and of the length that a record states.
  const std::byte* payload(std::uint32_t index, std::uint32_t length) const {
    ATL_CHECK(index <= payload_bytes_ && length <= payload_bytes_ - index,
              "a record in a ring names payload outside of it");
    return ring_->payload_ + index;
  }

  // Gives the record back. True when that was made known to the producer, who
  // may be asleep waiting for it.
  [[nodiscard]] bool release() {
    ATL_DCHECK(peek() != nullptr);
    ++next_;
    next_slot_ = &ring_->slots_[next_ % Ring::kSlots];
    turn_ = turn_at(next_);
    if (__builtin_expect(next_ - handed_back_ < Ring::kSlots / 4, 1)) return false;
    hand_back();
    return true;
  }

  // As release(), of a record with payload: `length` is that of the claim.
  [[nodiscard]] bool release(std::uint32_t length) {
    payload_used_ = piece_end(payload_used_, length, payload_bytes_);
    if (release()) return true;
    if (payload_used_ - payload_handed_back_ < payload_bytes_ / 4) return false;
    hand_back();
    return true;
  }

  // Says whether this side wants no data that it has not asked for.
  void set_offers_only(bool wanted) {
    // Relaxed: a hint that orders nothing.
    ring_->offers_only_.store_relaxed(wanted ? 1 : 0);
  }

 private:
  void hand_back();

  Ring* ring_ = nullptr;
  const Slot* next_slot_ = nullptr;
  std::uint64_t next_ = 0;                 // position of the slot to read
  std::uint64_t handed_back_ = 0;          // Ring::consumed_
  std::uint64_t payload_used_ = 0;         // payload position behind the last piece released
  std::uint64_t payload_handed_back_ = 0;  // Ring::payload_consumed_
  std::uint32_t payload_bytes_ = 0;        // of the ring
  std::uint32_t sender_ = 0;
  std::uint16_t turn_ = 1;  // turn of the slot to read
};

}  // namespace atl::shm
