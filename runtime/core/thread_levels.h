// Thread levels (MPI 5.0, 11.2.1) and their names.
#pragma once

#include <optional>
#include <string_view>

namespace atl {

std::optional<int> thread_level_of(std::string_view name);
const char* name_of_thread_level(int level);

// The level requested before the program started: mpiexec -thread-level (11.5).
std::optional<int> thread_level_at_start();

}  // namespace atl
