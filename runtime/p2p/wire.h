// Writes messages to a ring and reads them, for calls that complete at once and for the engine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/copy.h"
#include "datatype/datatype.h"
#include "runtime/p2p/packet.h"
#include "runtime/p2p/peer.h"

namespace atl::p2p {

// --- into the ring; null or false when it is full ---

// Sends a message of at most PacketHeader::kSmallBytes; pack(memory) writes its bytes.
template <class Pack>
bool send_small(Peer& peer, const Envelope& envelope, std::size_t bytes, Pack pack) {
  shm::Slot* slot = peer.out.claim();
  if (slot == nullptr) return false;
  PacketHeader& packet = new_packet_in(*slot);
  packet.kind = PacketKind::small;
  packet.small_bytes = static_cast<std::uint8_t>(bytes);
  packet.set(envelope);
  pack(packet.data);
  peer.out.publish(slot);
  peer.wake();
  return true;
}

// Claims a slot and payload, into which pack(memory) writes a fragment of `length` bytes. The
// fragment starts `phase` bytes behind the start of a cache line, as the data does at the sender.
template <class Pack>
shm::Slot* claim_fragment(Peer& peer, std::uint32_t phase, std::uint32_t length, Pack pack) {
  std::uint32_t index = 0;
  shm::Slot* slot = peer.out.claim(phase + length, index);
  if (slot == nullptr) return nullptr;
  pack(peer.out.payload(index + phase));
  PacketHeader& packet = new_packet_in(*slot);
  packet.large.payload = index + phase;
  packet.large.length = length;
  return slot;
}

// Publishes a claimed slot as the first or a later fragment of an eager message of `bytes` bytes.
inline void publish_eager(Peer& peer, shm::Slot* slot, const Envelope& envelope, PacketKind kind,
                          std::uint64_t bytes) {
  PacketHeader& packet = packet_in(*slot);
  packet.kind = kind;
  packet.set(envelope);
  packet.large.bytes = bytes;
  peer.out.publish(slot);
  peer.wake();
}

// --- out of the ring ---

// Whether the packet holds a complete message without acknowledgement, which fits into `capacity`
// bytes of one contiguous block of that type and has a matching type signature.
inline bool fits(const PacketHeader& packet, const datatype::Datatype& type,
                 std::uint64_t capacity) {
  const bool small = packet.kind == PacketKind::small;
  const bool whole =
      small || (packet.kind == PacketKind::eager && packet.large.length == packet.large.bytes);
  return whole && packet.rendezvous == kNoRendezvous && type.is_contiguous() &&
         (small ? packet.small_bytes : packet.large.length) <= capacity &&
         datatype::signatures_match(packet.signature, type.signature());
}

// Copies a message for which fits() is true to `to`; returns its bytes.
inline std::uint32_t copy_whole(const Peer& peer, const PacketHeader& packet, std::byte* to) {
  if (packet.kind == PacketKind::small) {
    copy_small<PacketHeader::kSmallBytes>(to, packet.data, packet.small_bytes);
    return packet.small_bytes;
  }
  const std::uint32_t bytes = packet.large.length;
  copy_bytes(to, peer.in.payload(packet.large.payload, bytes), bytes);
  return bytes;
}

}  // namespace atl::p2p
