// Copying runs of memory that another core has just written or will soon read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace atl::shm {

// As memcpy. The C library moves long runs by "rep movsb", which between cores is
// by far the fastest, but on some processors twenty times slower when the target
// lies less than 32 bytes behind the source within their pages: those go in pieces
// that it moves otherwise (docs/decisions/0007-collective-buffer.md).
inline void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes - 8 <= 8) {  // 8 to 16, the words overlap: a call would cost more
    std::uint64_t first, last;
    std::memcpy(&first, from, 8);
    std::memcpy(&last, static_cast<const std::byte*>(from) + bytes - 8, 8);
    std::memcpy(to, &first, 8);
    std::memcpy(static_cast<std::byte*>(to) + bytes - 8, &last, 8);
    return;
  }
  if (bytes == 0) return;  // there may be no address
  constexpr std::size_t kPiece = 1024;
  const auto behind =
      (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096;
  if (__builtin_expect(bytes <= kPiece || behind == 0 || behind >= 32, 1)) {
    std::memcpy(to, from, bytes);
    return;
  }
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t done = 0; done < bytes; done += kPiece) {
    std::memcpy(target + done, source + done, std::min(kPiece, bytes - done));
  }
}

}  // namespace atl::shm
