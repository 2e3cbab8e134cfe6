// The small files in which Linux shows its devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "launcher/hardware/cpu_set.h"

namespace atl::launcher {

// The first line; nothing when there is no such file.
std::optional<std::string> read_line(const std::string& path);

// A number.
std::optional<int> read_number(const std::string& path);

// "0-3,8"
std::optional<CpuSet> read_cpu_list(const std::string& path);

// "ff,0000000f": 32 bits each, the highest first.
std::optional<CpuSet> read_cpu_mask(const std::string& path);
std::optional<CpuSet> parse_cpu_mask(std::string_view text);

}  // namespace atl::launcher
