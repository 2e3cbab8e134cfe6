#include "runtime/core/variable.h"

#include <cstdlib>
#include <cstring>

namespace atl {

bool is_off(const char* name) {
  const char* value = ::secure_getenv(name);
  return value != nullptr && (std::strcmp(value, "off") == 0 || std::strcmp(value, "0") == 0);
}

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* value = ::secure_getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

}  // namespace atl
