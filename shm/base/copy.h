// Copying runs of memory that another core has just written or will soon read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace atl::shm {

// As memcpy, but never by one "rep movsb", which the C library takes for longer
// runs: on some processors that falls to a twentieth of its speed when the target
// lies a few bytes behind the source within their pages, as memory from malloc and
// a cell on a page do (docs/decisions/0006-arenas.md).
inline void copy(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kPiece = 1024;
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t done = 0; done < bytes; done += kPiece) {
    std::memcpy(target + done, source + done, std::min(kPiece, bytes - done));
  }
}

}  // namespace atl::shm
