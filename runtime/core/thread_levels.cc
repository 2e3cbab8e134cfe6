#include "runtime/core/thread_levels.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "shm/job.h"

namespace atl {
namespace {

constexpr int kLevels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                           MPI_THREAD_MULTIPLE};
static_assert(std::size(kLevels) == std::size(shm::kThreadLevels));

}  // namespace

std::optional<int> thread_level_of(std::string_view name) {
  const auto* const found = std::ranges::find(shm::kThreadLevels, name);
  if (found == std::end(shm::kThreadLevels)) return {};
  return kLevels[found - shm::kThreadLevels];
}

const char* name_of_thread_level(int level) {
  return shm::kThreadLevels[std::ranges::find(kLevels, level) - kLevels];
}

std::optional<int> thread_level_at_start() {
  const char* name = ::secure_getenv(shm::kThreadLevelVariable);
  return name == nullptr ? std::nullopt : thread_level_of(name);
}

}  // namespace atl
