// Copies what fits into a record without a call: the lengths are short, known
// only at run time, and most often 4 or 8.
#pragma once

#include <cstddef>
#include <cstring>

namespace atl::p2p {

// At most 48 bytes. Two overlapping moves of a fixed width cover each range of
// lengths.
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) {
  const auto ends = [=]<std::size_t Width>() {
    struct Chunk {
      std::byte bytes[Width];
    } head, tail;
    std::memcpy(&head, from, Width);
    std::memcpy(&tail, from + bytes - Width, Width);
    std::memcpy(to, &head, Width);
    std::memcpy(to + bytes - Width, &tail, Width);
  };
  if (bytes >= 16) {
    if (bytes > 32) std::memcpy(to + 16, from + 16, 16);
    ends.template operator()<16>();
  } else if (bytes >= 8) {
    ends.template operator()<8>();
  } else if (bytes >= 4) {
    ends.template operator()<4>();
  } else if (bytes >= 2) {
    ends.template operator()<2>();
  } else if (bytes == 1) {
    *to = *from;
  }
}

}  // namespace atl::p2p
