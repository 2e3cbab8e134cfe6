// Copies of memory: of any length, and of lengths that are usually a few bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace atl {

// Copies `bytes` bytes, from kWidth to 2 * kWidth of them, as the first and the last kWidth bytes:
// two moves of a fixed width instead of a loop.
template <std::size_t kWidth>
inline void copy_ends(std::byte* to, const std::byte* from, std::size_t bytes) {
  struct Chunk {
    std::byte bytes[kWidth];
  };
  Chunk first, last;
  std::memcpy(&first, from, kWidth);
  std::memcpy(&last, from + bytes - kWidth, kWidth);
  std::memcpy(to, &first, kWidth);
  std::memcpy(to + bytes - kWidth, &last, kWidth);
}

inline void copy_bytes(void* to, const void* from, std::size_t bytes);

// Copies at most kMost bytes, usually a few. Up to 128 bytes are copied inline, whereas memcpy with
// a length known only at run time would be a call. The memory does not overlap.
template <std::size_t kMost = ~std::size_t{0}>
inline void copy_small(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (kMost >= 16 && bytes >= 16) {
    if constexpr (kMost <= 48) {
      if (kMost > 32 && bytes > 32) std::memcpy(to + 16, from + 16, 16);
      return copy_ends<16>(to, from, bytes);
    } else {
      if (bytes <= 32) return copy_ends<16>(to, from, bytes);
      if (bytes <= 64) return copy_ends<32>(to, from, bytes);
      if (bytes <= 128) return copy_ends<64>(to, from, bytes);
      return copy_bytes(to, from, bytes);
    }
  }
  if (bytes >= 8) return copy_ends<8>(to, from, bytes);
  if (bytes >= 4) return copy_ends<4>(to, from, bytes);
  if (bytes >= 2) return copy_ends<2>(to, from, bytes);
  if (bytes == 1) *to = *from;
}

// Whether `rep movsb`, which memcpy uses from some length on, is slow. On Zen 3 and others it
// falls to a tenth of its speed when the target address is 1 to 63 bytes above the source, modulo
// 4096, because the processor assumes that the loads depend on the stores. This happens, for
// example, between memory on a page boundary and memory from malloc, 16 bytes into its page
// (docs/decisions/0003-large-messages.md has the figures).
inline bool slow_for_rep_movsb(const void* to, const void* from) {
  const std::uintptr_t behind =
      (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096;
  return behind - 1 < 63;
}

// Copies in parts so short that memcpy does not use `rep movsb`. Not inlined into copy_bytes(), so
// that callers of copy_bytes() keep their registers.
inline constexpr std::size_t kCopyChunk = 1024;  // bytes

[[gnu::noinline]] inline void copy_in_chunks(std::byte* to, const std::byte* from,
                                             std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += kCopyChunk) {
    std::memcpy(to + done, from + done, std::min(kCopyChunk, bytes - done));
  }
}

// As memcpy, but the addresses may be null when `bytes` is 0. The memory does not overlap.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  if (bytes <= 16) return copy_small<16>(target, source, bytes);
  if (__builtin_expect(bytes > kCopyChunk && slow_for_rep_movsb(to, from), 0)) {
    return copy_in_chunks(target, source, bytes);
  }
  std::memcpy(to, from, bytes);
}

}  // namespace atl
