#include "runtime/core/handle_table.h"

#include <cstddef>
#include <iterator>

namespace atl {

const char* name_of_handle(std::uintptr_t handle) {
  static constexpr const char* kNames[] = {
      nullptr,     "a communicator",   "a group",        "a datatype", "an operation", "a request",
      "a message", "an error handler", "an info object", "a session",  "a window",     "a file"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(HandleKind::file) + 1);
  // Other values are hardly ever an int, and never have a generation of 32 bits.
  const std::size_t kind = static_cast<std::uint32_t>(handle) >> 28;
  if (handle >> 63 != 0 || handle_to_int(handle) < 0 || kind >= std::size(kNames)) return nullptr;
  return kNames[kind];
}

}  // namespace atl
