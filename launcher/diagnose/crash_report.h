// Describes where a rank was when a signal killed it.
#pragma once

#include <functional>
#include <string>

#include "shm/job.h"

namespace atl::launcher {

// source_in_file(), or a replacement in tests.
using FindSource =
    std::function<std::string(const std::string& file, std::uint64_t offset, bool returns)>;

// The signal in the rank's crash record; 0: none, or the record is damaged.
int crash_signal(const shm::CrashRecord& crash);

// "in MPI_Send called at heat.c:42 (exchange), at address 0x10" or "at heat.c:17
// (relax), at address 0x10"; empty without a crash record.
std::string describe_crash(const shm::CrashRecord& crash, const FindSource& find);

}  // namespace atl::launcher
