#include "runtime/coll/framework/collective_settings.h"

#include <cstdlib>

#include "runtime/core/variable.h"

namespace atl::coll {

void read_settings() {
  settings.buffer_bytes = number_from("ATOLL_COLLECTIVE_BYTES", ~0ull);
  if (const char* wanted = ::secure_getenv("ATOLL_ALGORITHMS")) settings.algorithms = wanted;
  settings.show_algorithms = ::secure_getenv("ATOLL_SHOW_ALGORITHMS") != nullptr;
  settings.usual_algorithms = settings.algorithms.empty() && !settings.show_algorithms;
}

}  // namespace atl::coll
