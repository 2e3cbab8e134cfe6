#include "runtime/p2p/message_settings.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/core/variable.h"

namespace atl::p2p {

void read_settings() {
  settings.single_copy = !is_off("ATOLL_CMA");
  settings.check_signatures = !is_off("ATOLL_CHECK_TYPES");
  if (::secure_getenv("ATOLL_EAGER_BYTES") != nullptr) {
    settings.eager_bytes = number_from("ATOLL_EAGER_BYTES", 0);
  }
  settings.rendezvous_records = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(number_from("ATOLL_RENDEZVOUS_RECORDS", ~0u), ~0u));
  settings.unexpected_bytes = number_from("ATOLL_UNEXPECTED_BYTES", settings.unexpected_bytes);
  settings.fragment_bytes = number_from("ATOLL_FRAGMENT_BYTES", 0);
  settings.show_protocols = ::secure_getenv("ATOLL_SHOW_PROTOCOLS") != nullptr;
}

}  // namespace atl::p2p
