// How messages get into a ring and out of it: the same for calls that are served at once and
// for the engine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/copy.h"
#include "datatype/datatype.h"
#include "runtime/p2p/peer.h"
#include "runtime/p2p/record.h"

namespace atl::p2p {

// --- into the ring; null or false when it is full ---

// A message of at most Record::kSmallBytes; pack(memory) puts its bytes there.
template <class Pack>
bool send_small(Peer& peer, const Envelope& envelope, std::size_t bytes, Pack pack) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  Record& record = new_record_in(*slot);
  record.kind = RecordKind::small;
  record.small_bytes = static_cast<std::uint8_t>(bytes);
  record.set(envelope);
  pack(record.data);
  peer.out.publish(slot);
  peer.wake();
  return true;
}

// A record whose fragment of `length` bytes pack(memory) puts beside the slots. It begins as far
// behind a cache line as the data does at the sender: `phase` bytes.
template <class Pack>
shm::Slot* claim_fragment(Peer& peer, std::uint32_t phase, std::uint32_t length, Pack pack) {
  std::uint32_t index = 0;
  shm::Slot* slot = peer.out.claim(phase + length, index);
  if (slot == nullptr) return nullptr;
  pack(peer.out.payload(index + phase));
  Record& record = new_record_in(*slot);
  record.large.payload = index + phase;
  record.large.length = length;
  return slot;
}

// Publishes a claimed record of an eager message of `bytes`: its first fragment or a later one.
inline void publish_eager(Peer& peer, shm::Slot* slot, const Envelope& envelope, RecordKind kind,
                          std::uint64_t bytes) {
  Record& record = record_in(*slot);
  record.kind = kind;
  record.set(envelope);
  record.large.bytes = bytes;
  peer.out.publish(slot);
  peer.wake();
}

// --- out of the ring ---

// Whether the record brings all of a message whose sender wants no answer, which fits into
// `capacity` bytes of one contiguous block of that type.
inline bool fits(const Record& record, const datatype::Datatype& type, std::uint64_t capacity) {
  const bool small = record.kind == RecordKind::small;
  const bool whole =
      small || (record.kind == RecordKind::eager && record.large.length == record.large.bytes);
  return whole && record.transfer == kNoTransfer && type.flat() &&
         (small ? record.small_bytes : record.large.length) <= capacity &&
         datatype::signatures_match(record.signature, type.signature());
}

// The bytes of such a message go to `to`; says how many.
inline std::uint32_t copy_whole(const Peer& peer, const Record& record, std::byte* to) {
  if (record.kind == RecordKind::small) {
    copy_small<Record::kSmallBytes>(to, record.data, record.small_bytes);
    return record.small_bytes;
  }
  const std::uint32_t bytes = record.large.length;
  copy_bytes(to, peer.in.payload(record.large.payload, bytes), bytes);
  return bytes;
}

}  // namespace atl::p2p
