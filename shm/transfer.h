// A message that stays where the sender has it until the receiver is ready:
// the sender's half of the handshake, the copy that both sides share, and the
// answer of a synchronous send. No message ever travels back to the sender:
// the receiver writes its answer into this record and rings.
//
//   line 0   the offer    written by the sender before it publishes the ring record
//   line 1   the answer   written by the receiver that took the offer
//   line 2   the copy     claimed and counted by both
//
// state:  offered -> taken -> copying   -> received   both sides copied until all_copied()
//                                       -> streaming  and the system refused one of the copies
//                          -> streaming               the sender sends pieces through the ring
//                          -> received                a small synchronous message
//         offered -> withdrawn -> received            the sender cancelled first
//
// When the system refuses a copy in the middle, both sides only count what is left, and then
// the sender sends the message through the ring, from its beginning.
//
// `streaming` and `received` are the receiver's last word: it will not look at
// the record again, and only then may the sender offer its next message in it.
// Before that, a ring record that names a withdrawn offer may still be on its
// way, and a receiver that waits for the last piece may not have seen it counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

enum class TransferState : std::uint32_t {
  idle = 0,
  offered,
  withdrawn,
  taken,
  copying,
  streaming,
  received,
};

class alignas(kCacheLine) Transfer {
 public:
  // --- sender ---

  // `source` is null when the bytes are not one run of the sender's memory.
  // The ring record that names this transfer publishes it. The record is fresh,
  // or the receiver of its last message said its last word.
  void offer(const void* source, std::uint64_t bytes);

  // Takes the offer back; false when the receiver was first.
  bool withdraw() { return change(TransferState::withdrawn); }

  // --- receiver ---

  // Takes the offer; false when the sender withdrew it (answer_received() then).
  bool take() { return change(TransferState::taken); }

  // After take(): `bytes` of the source go to `target` in this process, in
  // pieces that both sides claim.
  void answer_copying(void* target, std::uint64_t bytes, std::uint64_t piece);

  // After take(), or when all_copied() and failed(): the sender is to send `bytes` through
  // the ring, marked with `cookie`.
  void answer_streaming(std::uint64_t cookie, std::uint64_t bytes);

  // The receiver's last word; after a copy only when all_copied().
  void answer_received() {
    // Pairs with state(): all that the receiver did here comes before.
    state_.store_release(static_cast<std::uint32_t>(TransferState::received));
  }

  // --- both ---

  TransferState state() const {
    // Pairs with the answers' release stores: their fields are visible.
    return static_cast<TransferState>(state_.load_acquire());
  }

  std::uint64_t source() const { return source_; }
  std::uint64_t offered_bytes() const { return offered_; }
  std::uint64_t target() const {
    const std::uint64_t target = target_;
    // The sender's copy goes there, into another process's memory.
    ATL_CHECK(target == ~target_inverted_, "a receiver's address in a transfer is not whole");
    return target;
  }
  std::uint64_t bytes() const { return bytes_; }    // to copy or stream
  std::uint64_t cookie() const { return cookie_; }  // streaming

  // Claims the next piece to copy; false when none is left.
  bool claim_piece(std::uint64_t& offset, std::uint64_t& length);

  // Whether a copy was refused already: then a claimed piece need not be tried.
  bool refused() const { return failed_.load_relaxed() != 0; }

  // Counts a claimed piece as copied (or refused). True when it was the last.
  bool finish_piece(bool copied);

  bool all_copied() const {
    // Pairs with finish_piece's fetch_add: the other side's bytes are in place.
    return finished_.load_acquire() == pieces_;
  }
  bool failed() const { return failed_.load_relaxed() != 0; }  // after all_copied()

 private:
  bool change(TransferState to) {
    // Acq_rel: one of take() and withdraw() wins, and a taker sees the offer.
    auto expected = static_cast<std::uint32_t>(TransferState::offered);
    return state_.compare_exchange_acq_rel(expected, static_cast<std::uint32_t>(to));
  }

  Shared<std::uint32_t> state_;
  std::uint64_t source_;   // address in the sender, 0 = not one run
  std::uint64_t offered_;  // bytes

  alignas(kCacheLine) std::uint64_t target_;  // address in the receiver
  std::uint64_t bytes_;                       // at most offered_: a short receive buffer cuts it
  std::uint64_t piece_;                       // bytes
  std::uint64_t cookie_;
  std::uint64_t pieces_;           // how many
  std::uint64_t target_inverted_;  // ~target_

  alignas(kCacheLine) Shared<std::uint64_t> claimed_;  // pieces handed out; may overshoot
  Shared<std::uint64_t> finished_;                     // pieces copied
  Shared<std::uint32_t> failed_;
};
static_assert(sizeof(Transfer) == 3 * kCacheLine);

// Where a rank's records are: in chunks, each as long as all before it. The rank makes them
// as it needs them. They stay as long as the job, since a receiver may be late to look.
struct TransferChunks {
  static constexpr std::uint32_t kFirst = 64;  // records of the first chunk
  static constexpr std::uint32_t kChunks = 20;
  static constexpr std::uint32_t kRecords = kFirst << (kChunks - 1);

  static constexpr std::uint32_t chunk_of(std::uint32_t index) {
    return static_cast<std::uint32_t>(std::bit_width(index / kFirst));
  }
  static constexpr std::uint32_t begin_of(std::uint32_t chunk) {
    return chunk == 0 ? 0 : kFirst << (chunk - 1);
  }
  static constexpr std::uint32_t length_of(std::uint32_t chunk) {
    return chunk == 0 ? kFirst : begin_of(chunk);
  }

  Shared<std::uint64_t> offsets[kChunks];  // in the segment, 0 = not made
};

// Copies between this process and another by the system's single-copy calls. `pid`
// is counted in the PID namespace of this process. False when the system refuses or
// an address is bad.
bool copy_from_process(int pid, void* to, std::uint64_t from, std::size_t bytes);
bool copy_to_process(int pid, std::uint64_t to, const void* from, std::size_t bytes);

}  // namespace atl::shm
