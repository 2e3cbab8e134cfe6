#include "shm/waiting.h"

#include <sched.h>

namespace atl::shm {

WaitPolicy WaitPolicy::own_core() { return {.spin_ticks = 150000, .yields = 100, .sleeps = true}; }

WaitPolicy WaitPolicy::shared_core() { return {.spin_ticks = 0, .yields = 8, .sleeps = true}; }

void yield_core() { ::sched_yield(); }

}  // namespace atl::shm
