// What travels in a ring: one cache line, of which the ring keeps the first
// two bytes. All fields are written by the sender before it publishes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "datatype/signature.h"
#include "shm/context_registry.h"
#include "shm/ring.h"

namespace atl::p2p {

enum class RecordKind : std::uint8_t {
  small,  // the message's bytes are in the record
  eager,  // they come through the ring's payload; this is the first piece
  more,   // the next piece of the eager message that this ring is bringing
  offer,  // the bytes wait at the sender: `transfer`
  piece,  // a piece of a message whose offer was answered with streaming
};

inline constexpr std::uint32_t kNoTransfer = ~0u;

// The envelope (MPI 5.0, 3.2.3), and what else the receiver has to know of a message.
struct Envelope {
  shm::ContextId context;
  std::int32_t tag;
  std::int32_t source;  // rank in the communicator
  datatype::Signature signature;
  std::uint32_t transfer;  // as in Record
  bool ready;
};

// The envelope and where the data is.
struct [[gnu::packed, gnu::aligned(2)]] Record {
  static constexpr std::size_t kSmallBytes = 40;

  RecordKind kind;
  std::uint8_t small_bytes : 7;  // small: how many
  std::uint8_t ready : 1;        // small, eager, offer: sent by MPI_Rsend or its kin
  shm::ContextId context;
  std::int32_t tag;
  std::int32_t source;  // rank in the communicator
  datatype::Signature signature;
  // Index of the sender's Transfer: an offer, or a synchronous message that
  // wants to know when it is received. kNoTransfer otherwise.
  std::uint32_t transfer;
  union {
    std::byte data[kSmallBytes];
    struct {
      std::uint64_t bytes;    // eager, offer: of the whole message
      std::uint32_t payload;  // eager, more, piece: index of the piece in the ring
      std::uint32_t length;   // eager, more, piece: of the piece
      std::uint64_t cookie;   // piece: names the receive
      std::uint64_t offset;   // piece: of the message's bytes
    } large;
  };

  void set(const Envelope& envelope) {
    context = envelope.context;
    tag = envelope.tag;
    source = envelope.source;
    signature = envelope.signature;
    transfer = envelope.transfer;
    ready = envelope.ready;
  }
};
static_assert(sizeof(Record) == shm::Slot::kBytes);

// What the ring holds for a record: a piece starts at the same place in its
// cache line as the data at the sender, so that both copies are aligned alike.
inline std::uint32_t payload_bytes(const Record& record) {
  if (record.kind == RecordKind::small || record.kind == RecordKind::offer) return 0;
  return record.large.payload % shm::kCacheLine + record.large.length;
}

inline Record& new_record_in(shm::Slot& slot) { return *new (slot.bytes) Record; }

inline Record& record_in(shm::Slot& slot) {
  return *std::launder(reinterpret_cast<Record*>(slot.bytes));
}
inline const Record& record_in(const shm::Slot& slot) {
  return *std::launder(reinterpret_cast<const Record*>(slot.bytes));
}

}  // namespace atl::p2p
