// The packet header: the contents of a ring slot, one cache line, except its first two bytes
// (shm::Slot::turn). The sender writes all fields before it publishes the slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "datatype/signature.h"
#include "shm/context_registry.h"
#include "shm/ring.h"

namespace atl::p2p {

enum class PacketKind : std::uint8_t {
  small,         // the message's bytes are in PacketHeader::data
  eager,         // the first fragment of a message, in the ring's payload
  continuation,  // the next fragment of the eager message that this ring delivers
  rts,           // the data stays at the sender: `rendezvous`
  fragment,      // a fragment of a pipelined rendezvous message
};

inline constexpr std::uint32_t kNoRendezvous = ~0u;

// The envelope (MPI 5.0, 3.2.3), and what else the receiver must know about a message.
struct Envelope {
  shm::ContextId context;
  std::int32_t tag;
  std::int32_t source;  // rank in the communicator
  datatype::Signature signature;
  std::uint32_t rendezvous;  // as in PacketHeader
  bool ready;
};

// The envelope and where the data is.
struct [[gnu::packed, gnu::aligned(2)]] PacketHeader {
  static constexpr std::size_t kSmallBytes = 40;

  PacketKind kind;
  std::uint8_t small_bytes : 7;  // small: how many
  std::uint8_t ready : 1;        // small, eager, rts: sent in ready mode
  shm::ContextId context;
  std::int32_t tag;
  std::int32_t source;  // rank in the communicator
  datatype::Signature signature;
  // Index of the sender's RendezvousRecord, for an RTS or a synchronous message that is to be
  // acknowledged when it is matched. kNoRendezvous otherwise.
  std::uint32_t rendezvous;
  union {
    std::byte data[kSmallBytes];
    struct {
      std::uint64_t bytes;    // eager, rts: of the whole message
      std::uint32_t payload;  // eager, continuation, fragment: index of the fragment in the ring
      std::uint32_t length;   // eager, continuation, fragment: of the fragment
      std::uint64_t cookie;   // fragment: names the receive
      std::uint64_t offset;   // fragment: of the message's bytes
    } large;
  };

  void set(const Envelope& envelope) {
    context = envelope.context;
    tag = envelope.tag;
    source = envelope.source;
    signature = envelope.signature;
    rendezvous = envelope.rendezvous;
    ready = envelope.ready;
  }
};
static_assert(sizeof(PacketHeader) == shm::Slot::kBytes);

// Bytes of ring payload that the packet occupies. A fragment starts at the same offset in its
// cache line as the data at the sender, so that both copies are aligned alike.
inline std::uint32_t payload_bytes(const PacketHeader& packet) {
  if (packet.kind == PacketKind::small || packet.kind == PacketKind::rts) return 0;
  return packet.large.payload % shm::kCacheLine + packet.large.length;
}

inline PacketHeader& new_packet_in(shm::Slot& slot) { return *new (slot.bytes) PacketHeader; }

inline PacketHeader& packet_in(shm::Slot& slot) {
  return *std::launder(reinterpret_cast<PacketHeader*>(slot.bytes));
}
inline const PacketHeader& packet_in(const shm::Slot& slot) {
  return *std::launder(reinterpret_cast<const PacketHeader*>(slot.bytes));
}

}  // namespace atl::p2p
