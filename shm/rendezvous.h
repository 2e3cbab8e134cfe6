// Rendezvous records: the handshake of a message that stays in the sender's memory until it is
// matched. The sender writes the RTS into the record. The receiver writes its CTS, or the
// acknowledgement of a synchronous send, into the same record and rings the sender's doorbell, so
// that no packet travels back to the sender. Both sides claim fragments of a single copy here.
//
//   line 0   the RTS      written by the sender before it publishes the packet; both change state_
//   line 1   the CTS      written by the receiver after match()
//   line 2   the copy     claimed and counted by both
//
// state:  rts_sent -> matched -> single_copy -> received    both copied until all_copied()
//                                            -> pipelined   and the system refused one copy
//                             -> pipelined                  sender sends fragments through the ring
//                             -> received                   no CTS is needed
//         rts_sent -> cancelled -> received                 the sender cancelled first
//
// No CTS is needed for synchronous messages that are sent eagerly, receives of 0 bytes, and
// messages of a rank to itself.
//
// When the system refuses the copy of a fragment, both sides only count the remaining fragments.
// Afterwards the sender sends the whole message through the ring.
//
// `pipelined` and `received` are final: the receiver does not access the record any more, and only
// then may the sender reuse the record for another message. Before that, the packet that names a
// cancelled message may still be in the ring, or a receiver that waits for the last fragment may
// not have seen it counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/shared.h"
#include "shm/base/cache_line.h"

namespace atl::shm {

enum class RendezvousState : std::uint32_t {
  idle = 0,
  rts_sent,
  cancelled,
  matched,
  single_copy,
  pipelined,
  received,
};

class alignas(kCacheLine) RendezvousRecord {
 public:
  // --- sender ---

  // `source` is null when the bytes are not one contiguous block of the sender's memory.
  // Publishing the packet that names this record publishes its fields. The record must be new, or
  // its last message in state `pipelined` or `received`.
  void send_rts(const void* source, std::uint64_t bytes);

  // Cancels the message; false when the receiver has matched it already.
  bool cancel() { return change(RendezvousState::cancelled); }

  // --- receiver ---

  // Matches the message; false when the sender has cancelled it (call acknowledge() then).
  bool match() { return change(RendezvousState::matched); }

  // After match(): both sides copy `bytes` bytes of the source to `target` in this process, in
  // fragments of `fragment` bytes.
  void cts_single_copy(void* target, std::uint64_t bytes, std::uint64_t fragment);

  // After match(), or when all_copied() and failed(): asks the sender to send `bytes` bytes
  // through the ring, marked with `cookie`.
  void cts_pipelined(std::uint64_t cookie, std::uint64_t bytes);

  // Tells the sender that the message is received, or that its cancellation was seen. After a
  // single copy only when all_copied().
  void acknowledge() {
    // Pairs with state(): the receiver's accesses to this record come before.
    state_.store_release(static_cast<std::uint32_t>(RendezvousState::received));
  }

  // --- both ---

  RendezvousState state() const {
    // Pairs with cts_single_copy(), cts_pipelined() and acknowledge(): their fields are visible.
    return static_cast<RendezvousState>(state_.load_acquire());
  }

  std::uint64_t source() const { return source_; }
  std::uint64_t rts_bytes() const { return rts_bytes_; }
  std::uint64_t target() const {
    const std::uint64_t target = target_;
    // The sender writes to this address in the receiver's memory.
    ATL_CHECK(target == ~target_inverted_, "a receiver's address in a rendezvous is not whole");
    return target;
  }
  std::uint64_t bytes() const { return bytes_; }    // to copy or to send through the ring
  std::uint64_t cookie() const { return cookie_; }  // of cts_pipelined()

  // Claims the next fragment to copy; false when none is left.
  bool claim_fragment(std::uint64_t& offset, std::uint64_t& length);

  // Whether the system has already refused a copy: then a claimed fragment is only counted.
  // Relaxed: a hint; a superfluous attempt to copy does no harm.
  bool refused() const { return failed_.load_relaxed() != 0; }

  // Counts a claimed fragment as copied or refused. True when it was the last one.
  bool finish_fragment(bool copied);

  bool all_copied() const {
    // Pairs with finish_fragment(): the bytes that the other side copied are in place.
    return finished_.load_acquire() == fragments_;
  }
  // Valid after all_copied(). Relaxed: the acquire in all_copied() orders it.
  bool failed() const { return failed_.load_relaxed() != 0; }

 private:
  bool change(RendezvousState to) {
    // Pairs with the other side's change(): exactly one of match() and cancel() succeeds.
    auto expected = static_cast<std::uint32_t>(RendezvousState::rts_sent);
    return state_.compare_exchange_acq_rel(expected, static_cast<std::uint32_t>(to));
  }

  Shared<std::uint32_t> state_;
  std::uint64_t source_;     // address in the sender, 0 = not contiguous
  std::uint64_t rts_bytes_;  // bytes

  alignas(kCacheLine) std::uint64_t target_;  // address in the receiver
  std::uint64_t bytes_;     // at most rts_bytes_; less when the receive buffer is shorter
  std::uint64_t fragment_;  // bytes
  std::uint64_t cookie_;
  std::uint64_t fragments_;        // how many
  std::uint64_t target_inverted_;  // ~target_

  alignas(kCacheLine) Shared<std::uint64_t> claimed_;  // fragments handed out; may overshoot
  Shared<std::uint64_t> finished_;                     // fragments copied
  Shared<std::uint32_t> failed_;
};
static_assert(sizeof(RendezvousRecord) == 3 * kCacheLine);

// Where a rank's rendezvous records are: in chunks, each as long as all chunks before it together.
// The rank makes chunks on demand. They live as long as the job, because a receiver may access a
// record late.
struct RendezvousChunks {
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

  Shared<std::uint64_t> offsets[kChunks];  // from the start of the segment, 0 = not made
};

// Copy between this process and another with process_vm_readv and process_vm_writev. `pid` is that
// of this process's PID namespace. False when the system refuses or an address is bad.
bool copy_from_process(int pid, void* to, std::uint64_t from, std::size_t bytes);
bool copy_to_process(int pid, std::uint64_t to, const void* from, std::size_t bytes);

}  // namespace atl::shm
