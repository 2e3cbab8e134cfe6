// Programs that another MPI's launcher has started.
#pragma once

#include "runtime/core/fault.h"

namespace atl {

// An error when this process is one of several that another launcher has started:
// each of them would be alone. ATOLL_ALLOW_SINGLETON=1 says that this is meant.
Fault refuse_foreign_launcher();

}  // namespace atl
