// Leftovers of a program when MPI ends: unexpected messages, requests that were not waited for, and
// objects that were not freed.
#pragma once

namespace atl::env {

// Prints the leftovers on standard error as ATOLL_LEFTOVERS selects: with `count` one line if there
// are any, with `list` also a line for each.
void report_leftovers();

}  // namespace atl::env
