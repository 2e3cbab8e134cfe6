#include "runtime/objects/names.h"

#include <mpi.h>

#include <cstring>

namespace atl {

std::string kept_name(const char* given) {
  return std::string(given, ::strnlen(given, MPI_MAX_OBJECT_NAME - 1));
}

void give_name(const std::string& name, char* to, int* length) {
  std::memcpy(to, name.c_str(), name.size() + 1);
  *length = static_cast<int>(name.size());
}

}  // namespace atl
