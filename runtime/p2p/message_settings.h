// What the environment sets for messages.
#pragma once

#include <cstdint>
#include <optional>

namespace atl::p2p {

struct Settings {
  bool single_copy = true;       // ATOLL_CMA=off: never process_vm_readv/writev
  bool check_signatures = true;  // ATOLL_CHECK_TYPES=off
  // ATOLL_EAGER_BYTES: the longest message that is sent eagerly; unset: as measured (limits.h).
  // What fits into a packet header always is.
  std::optional<std::uint64_t> eager_bytes;
  // ATOLL_RENDEZVOUS_RECORDS: the most messages of this sender that wait to be acknowledged.
  std::uint32_t rendezvous_records = ~0u;
  // ATOLL_UNEXPECTED_BYTES: of unexpected messages at this receiver; above it, senders use
  // rendezvous only.
  std::uint64_t unexpected_bytes = std::uint64_t{256} << 20;
  std::uint64_t fragment_bytes = 0;  // ATOLL_FRAGMENT_BYTES: of a single copy; 0 = by its length
  bool show_protocols = false;       // ATOLL_SHOW_PROTOCOLS
};

inline Settings settings;

// Reads them from the environment, once, before the engine is made.
void read_settings();

}  // namespace atl::p2p
