// What the kernel reports about this process.
#pragma once

#include <string>

namespace atl {

// The contents of /proc/self/NAME; empty if it cannot be read.
std::string read_own_file(const char* name);

}  // namespace atl
