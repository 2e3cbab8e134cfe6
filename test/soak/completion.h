// All ways to complete requests.
#pragma once

#include <vector>

#include "test/soak/operation.h"

namespace soak {

// Completes all of them, in a way drawn with `own`, and stores requests and statuses back.
void complete(std::vector<Pending>& pending, check::Random& own);

}  // namespace soak
