#include "runtime/core/foreign_launcher.h"

#include <mpi.h>

#include <cstdlib>

namespace atl {
namespace {

// A variable whose value above `most` shows that launcher.
struct Sign {
  const char* variable;
  long most;
  const char* launcher;
};
constexpr Sign kSigns[] = {
    {"OMPI_COMM_WORLD_SIZE", 1, "the mpiexec of Open MPI"},
    {"PMI_SIZE", 1, "the mpiexec of another MPI, such as MPICH"},
    {"PMIX_RANK", 0, "the launcher of another MPI"},
};

}  // namespace

Error refuse_foreign_launcher() {
  const char* allowed = ::secure_getenv("ATOLL_ALLOW_SINGLETON");
  if (allowed != nullptr && *allowed == '1') return {};
  for (const Sign& sign : kSigns) {
    const char* value = ::secure_getenv(sign.variable);
    if (value == nullptr || std::atol(value) <= sign.most) continue;
    return make_error(
        MPI_ERR_OTHER,
        "%s (%s=%s) has started this program, whose processes would not find each other: "
        "start it with the mpiexec of Atoll, or set ATOLL_ALLOW_SINGLETON=1 if each is to "
        "run alone",
        sign.launcher, sign.variable, value);
  }
  return {};
}

}  // namespace atl
