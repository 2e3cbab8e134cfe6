// The source locations of addresses in a program, from its debug information.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace atl::launcher {

// "heat.c:42 (exchange)", "exchange" without line information, or nothing.
// `address` is where a call returns to in the running process.
std::string source_of_call(pid_t process, std::uint64_t address);

// The same for an address in a file: `offset` counts from where the file was
// loaded. The address is that of an instruction, or with `returns` a return address.
std::string source_in_file(const std::string& file, std::uint64_t offset, bool returns);

}  // namespace atl::launcher
