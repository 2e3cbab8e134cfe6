// Which way a message takes, by its length: measured, and settable
// (docs/decisions/0003-large-messages.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "datatype/datatype.h"
#include "runtime/core/process.h"
#include "shm/ring.h"

namespace atl::p2p {

// Bytes of a piece in the ring: short ones let the receiver start early, long
// ones cost less. With its phase a piece stays below Ring::kMaxPiece.
inline constexpr std::uint32_t kFirstPiece = 8 * 1024;
inline constexpr std::uint32_t kLongPiece = 16 * 1024;
static_assert(kLongPiece + shm::kCacheLine <= shm::Ring::kMaxPiece);

// What a message of `count` elements of a type is cut into.
std::uint32_t piece_limit(const datatype::Datatype& type, std::size_t count);

// Whether a line from there takes long: `hop` as shm::Hop counts it, 0 if nobody knows.
bool is_far(std::uint64_t hop);

// Whether the sender brings runs together before they go into the ring of a receiver
// at that distance (docs/decisions/0005-gathered-runs.md).
bool gathers(const datatype::Datatype& type, std::uint64_t hop);

// Whether a piece of the ring holds so little of a transpose that the cache lines it
// touches are gone before the next one needs them (datatype/banded.h).
bool goes_by_bands(const datatype::Datatype& type);

// The largest message that is sent eagerly: at once and copied twice, through
// the ring, while larger ones are offered and copied once, by the kernel. Where
// the one gets faster than the other depends on the machine and its kernel, so
// it is measured when the first message of some length asks; and on how far the
// receiver is: `hop` as the ring says it. With gaps there is no kernel's copy.
std::uint64_t eager_limit(const datatype::Datatype& type, std::uint64_t bytes, std::uint64_t hop);

// The largest message that is sent eagerly in one piece, before anybody asks for more.
inline std::uint64_t first_piece_limit() {
  if (__builtin_expect(!settings.eager_bytes.has_value(), 1)) return kFirstPiece;
  return std::min<std::uint64_t>(*settings.eager_bytes, kFirstPiece);
}

// The ways of messages and their lengths, as text: between ranks as far apart as those
// of the last message whose length was in question.
std::string protocol_table();

// Bytes of the pieces of a single copy that the two sides claim in turn.
std::uint64_t copied_piece(std::uint64_t bytes);

}  // namespace atl::p2p
