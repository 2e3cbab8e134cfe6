#include "launcher/remarks.h"

#include <fmt/format.h>

#include "launcher/mpi_library.h"

namespace atl::launcher {

std::string remark_on_unused_mpi(const std::string& program, const std::string& library) {
  const std::string text = fmt::format("no rank of {} has called MPI_Init", program);
  if (library == kOwnLibrary) return text;
  return fmt::format(
      "{} of Atoll: it uses {} of another MPI, and has to be started by the mpiexec of that, or "
      "built with Atoll's mpicc",
      text, library);
}

}  // namespace atl::launcher
