// What the kernel says of this process.
#pragma once

#include <string>

namespace atl {

// All of /proc/self/NAME, or nothing.
std::string read_own_file(const char* name);

}  // namespace atl
