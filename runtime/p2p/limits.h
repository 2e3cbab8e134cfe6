// Which protocol a message uses, by its length: measured, and configurable
// (docs/decisions/0003-large-messages.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "datatype/datatype.h"
#include "runtime/core/process.h"
#include "runtime/p2p/message_settings.h"
#include "shm/ring.h"

namespace atl::p2p {

// Bytes of a fragment in the ring: short fragments let the receiver start early, long ones cost
// less. With its phase a fragment stays below Ring::kMaxFragment.
inline constexpr std::uint32_t kFirstFragment = 8 * 1024;
inline constexpr std::uint32_t kLongFragment = 16 * 1024;
static_assert(kLongFragment + shm::kCacheLine <= shm::Ring::kMaxFragment);

// Bytes of the fragments into which a message of `count` elements of a type is cut.
std::uint32_t fragment_limit(const datatype::Datatype& type, std::size_t count);

// Whether a cache line takes long from the receiver: `latency` as counted by shm::LineLatency, 0
// if unknown.
bool is_far(std::uint64_t latency);

// Whether the sender gathers contiguous blocks before it writes them to the ring of a receiver at
// that distance (docs/decisions/0005-gathered-runs.md).
bool gathers(const datatype::Datatype& type, std::uint64_t latency);

// Whether a fragment of the ring holds so little of a transpose that the cache lines it touches
// are evicted before the next fragment needs them (datatype/banded.h).
bool goes_by_bands(const datatype::Datatype& type);

// The largest message that is sent eagerly, which is at once and copied twice, through the ring.
// Larger ones use rendezvous and are copied once, by the kernel. The length from which rendezvous
// is faster depends on the machine and its kernel, so it is measured when a message of some
// length first needs it, and on the distance of the receiver: `latency` as the ring measures it.
// The kernel cannot copy a type with gaps.
std::uint64_t eager_limit(const datatype::Datatype& type, std::uint64_t bytes,
                          std::uint64_t latency);

// The largest message that is sent eagerly without asking eager_limit(): one fragment. Also the
// limit of synchronous messages.
inline std::uint64_t first_fragment_limit() {
  if (__builtin_expect(!settings.eager_bytes.has_value(), 1)) return kFirstFragment;
  return std::min<std::uint64_t>(*settings.eager_bytes, kFirstFragment);
}

// The protocols and their message lengths as text, for ranks as far apart as those of the last
// message for which eager_limit() needed the measurement.
std::string protocol_table();

// Bytes of the fragments of a single copy, which both sides claim.
std::uint64_t single_copy_fragment(std::uint64_t bytes);

}  // namespace atl::p2p
