// A stretch of code in which no system call and no allocation may happen.
//
// System calls: Linux hands each one to a signal handler instead (syscall user
// dispatch), which ends the program and says which it was. Allocations: the
// program's own malloc, which every library of the process calls, counts them.
#pragma once

#include <cstddef>

namespace forbid {

// Readies this thread. False where system calls go unnoticed: the kernel has no
// syscall user dispatch, or a sanitizer is at work (allocations go uncounted, too).
bool set_up(int rank);

// From begin() to end() a system call of this thread ends the program, with a
// line on standard error and status 1.
void begin();
void end();

// Allocations and releases of memory between the last begin() and end().
std::size_t allocations();

}  // namespace forbid
