// What a program has left behind when MPI ends in it: messages that nobody has
// received, requests nobody has waited for, objects nobody has freed.
#pragma once

namespace atl::env {

// On standard error, as far as ATOLL_LEFTOVERS asks for it: with `count` one line if
// there is anything, with `list` each of them on a line of its own.
void report_leftovers();

}  // namespace atl::env
