// All kinds of operations.
#include "test/soak/operation.h"

namespace soak {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"stream", draw_stream, 10},
      {"repeated", draw_repeated, 2},
      {"exchange", draw_exchange, 3},
      {"cancel", draw_cancel, 2},
      {"collective", draw_collective, 8},
      {"communicators", draw_communicators, 3},
      {"typed_collective", draw_typed_collective, 4},
      {"attributes", draw_attributes, 1},
      {"groups", draw_groups, 1},
  };
  return all;
}

}  // namespace soak
