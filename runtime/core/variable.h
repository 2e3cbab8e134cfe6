// Environment variables ATOLL_..., from which each layer reads its own settings.
//
// A program with more rights than its user (set-user-ID, capabilities) finds none of them set.
#pragma once

#include <cstdint>

namespace atl {

// Whether it is set to "off" or "0".
bool is_off(const char* name);

// Its number, or `otherwise` when it is not set.
std::uint64_t number_from(const char* name, std::uint64_t otherwise);

}  // namespace atl
