// How much memory and address space this process may use.
#pragma once

#include <cstdint>

namespace atl::shm {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// Bytes of address space (ulimit -v), or kNoLimit.
std::uint64_t address_space_limit();

// Bytes up to which this process may extend a file (ulimit -f), or kNoLimit.
std::uint64_t file_size_limit();

// Bytes of the machine's memory.
std::uint64_t physical_memory();

// Bytes that the system can give at most: memory and swap space, or less where the process is in a
// control group with a limit.
std::uint64_t memory_limit();

// Whether the kernel gives no more memory than it has, so that it may refuse a page of a mapping at
// the first access (vm.overcommit_memory=2).
bool overcommit_is_forbidden();

}  // namespace atl::shm
