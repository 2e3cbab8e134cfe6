// Detects programs that another MPI's launcher has started.
#pragma once

#include "runtime/core/error.h"

namespace atl {

// An error when this process is one of several that another launcher has started: each of them
// would be a job of its own. ATOLL_ALLOW_SINGLETON=1 allows that.
Error refuse_foreign_launcher();

}  // namespace atl
