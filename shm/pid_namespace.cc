#include "shm/pid_namespace.h"

#include <sys/stat.h>

#include <string>

namespace atl::shm {

// namespaces(7): device and inode of this file identify it. Both are small numbers.
std::uint64_t pid_namespace(const char* folder) {
  struct stat facts {};
  if (::stat((std::string(folder) + "/ns/pid").c_str(), &facts) != 0) return 0;
  return facts.st_dev << 32 ^ facts.st_ino;
}

}  // namespace atl::shm
