#include "launcher/process/warnings.h"

#include <fmt/format.h>

#include "launcher/process/mpi_library.h"

namespace atl::launcher {

void UnusedLibrary::check(const shm::RankSlot& slot, pid_t first_rank) {
  if (looks_left_ == 0 || !name_.empty()) return;
  --looks_left_;
  // Pairs with the store of `life` in attach(); only the value is needed.
  const auto life = static_cast<shm::Life>(slot.life.load_acquire());
  if (life == shm::Life::launched) name_ = mpi_library_in(first_rank);
}

std::string UnusedLibrary::warning(const std::string& program, const std::string& file) const {
  const std::string library = name_.empty() ? mpi_library_of(file) : name_;
  if (library.empty()) return {};
  const std::string text = fmt::format("no rank of {} has called MPI_Init", program);
  if (library == kOwnLibrary) return text;
  return fmt::format(
      "{} of Atoll: it uses {} of another MPI, and has to be started by the mpiexec of that, or "
      "built with Atoll's mpicc",
      text, library);
}

}  // namespace atl::launcher
