#include "shm/damage.h"

#include <cstdio>
#include <cstdlib>

namespace atl::shm {

void damaged(const char* what) {
  if (damage_handler != nullptr) damage_handler(what);
  std::fprintf(stderr, "the job's shared memory is damaged: %s\n", what);
  std::abort();
}

}  // namespace atl::shm
