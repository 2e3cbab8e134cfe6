// What the environment sets for collectives.
#pragma once

#include <cstdint>
#include <string>

namespace atl::coll {

struct Settings {
  std::uint64_t buffer_bytes = ~0ull;  // ATOLL_COLLECTIVE_BYTES: of all collective buffers
  std::string algorithms;              // ATOLL_ALGORITHMS: "bcast=binomial,barrier=flat"
  bool show_algorithms = false;        // ATOLL_SHOW_ALGORITHMS
  bool usual_algorithms = true;        // `algorithms` is empty, and none is shown
};

inline Settings settings;

// Reads them from the environment, once, before the first collective.
void read_settings();

}  // namespace atl::coll
