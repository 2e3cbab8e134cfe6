// Checks of what other processes wrote into shared memory. A value that no correct
// process writes there means that some process stored through a bad pointer: the job
// cannot go on, and must not follow the value.
#pragma once

namespace atl::shm {

// Ends this process, or throws; `what` says which value is wrong.
using DamageHandler = void (*)(const char* what);

// Set before the segment is used by more than one thread. Null: print and abort.
inline DamageHandler damage_handler = nullptr;

[[noreturn, gnu::cold, gnu::noinline]] void damaged(const char* what);

// Always on: one predicted branch.
inline void enforce(bool valid, const char* what) {
  if (__builtin_expect(!valid, 0)) damaged(what);
}

}  // namespace atl::shm
