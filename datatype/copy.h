// memcpy for long runs, around a trap of current processors.
//
// From some length on memcpy is one `rep movsb`. On Zen 3 and others that
// instruction falls to a tenth of its speed when the target lies 1 to 63 bytes
// behind the source, modulo 4096: it takes the loads for dependent on the
// stores. Page-aligned memory on one side and malloc'ed memory, 16 bytes into
// its page, on the other is just that. A plain loop of vector moves is immune
// (docs/decisions/0003-large-messages.md has the figures).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace atl::datatype {

inline bool slow_offset(const void* to, const void* from) {
  const std::uintptr_t ahead =
      (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096;
  return ahead - 1 < 63;
}

// The loop; the memory does not overlap.
void copy_by_vectors(std::byte* to, const std::byte* from, std::size_t bytes);

inline void copy_run(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kLong = 1024;  // bytes; below, memcpy uses no `rep movsb`
  if (bytes >= kLong && slow_offset(to, from)) {
    copy_by_vectors(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace atl::datatype
