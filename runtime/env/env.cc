#include "runtime/env/env.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/clock.h"

namespace atl::env {
namespace {

constexpr char kLibraryVersion[] = "Atoll 0.1.0, MPI 5.0 for one node, standard ABI 1.0";

void put(const std::string& text, std::size_t room, char* to, int* length) {
  const std::size_t bytes = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), bytes);
  to[bytes] = '\0';
  *length = static_cast<int>(bytes);
}

}  // namespace

// CLOCK_MONOTONIC is one clock for all ranks of the node: MPI_WTIME_IS_GLOBAL.
double wtime() { return 1e-9 * static_cast<double>(monotonic_ns()); }

double wtick() {
  timespec resolution{};
  ::clock_getres(CLOCK_MONOTONIC, &resolution);
  return static_cast<double>(resolution.tv_sec) + 1e-9 * static_cast<double>(resolution.tv_nsec);
}

Error get_processor_name(char* name, int* resultlen) {
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  ::gethostname(host, sizeof host - 1);
  put(host, MPI_MAX_PROCESSOR_NAME, name, resultlen);
  return {};
}

Error get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return {};
}

Error get_library_version(char* version, int* resultlen) {
  put(kLibraryVersion, MPI_MAX_LIBRARY_VERSION_STRING, version, resultlen);
  return {};
}

Error abi_get_version(int* abi_major, int* abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return {};
}

Error comm_get_parent(MPI_Comm* parent) {
  *parent = MPI_COMM_NULL;
  return {};
}

Error pcontrol(int) { return {}; }

}  // namespace atl::env
