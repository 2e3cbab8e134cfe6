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
  small,   // the message's bytes are in the record
  medium,  // they are in the ring's payload, in one piece
  offer,   // they wait at the sender: `transfer`
  piece,   // a part of a message whose offer was answered with streaming
};

inline constexpr std::uint32_t kNoTransfer = ~0u;

// The envelope (MPI 5.0, 3.2.3) and where the data is.
struct [[gnu::packed, gnu::aligned(2)]] Record {
  static constexpr std::size_t kSmallBytes = 40;

  RecordKind kind;
  std::uint8_t small_bytes;  // small: how many
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
      std::uint64_t bytes;  // medium, piece: length of the payload; offer: of the message
      std::uint32_t payload;  // medium, piece: its index in the ring
      std::uint32_t unused;
      std::uint64_t cookie;  // piece: names the receive
      std::uint64_t offset;  // piece: of the message's bytes
    } large;
  };
};
static_assert(sizeof(Record) == shm::Slot::kBytes);

inline Record& record_in(shm::Slot& slot) { return *new (slot.bytes) Record; }

inline const Record& record_in(const shm::Slot& slot) {
  return *std::launder(reinterpret_cast<const Record*>(slot.bytes));
}

}  // namespace atl::p2p
