// What the generated file of this test uses.
#pragma once

#include <mpicxx.h>

#include "test/check.h"

// The function must be there when the program is linked.
template <class Function>
void is_callable(Function function) {
  volatile Function kept = function;
  CHECK(kept != nullptr);
}

namespace MPI {

void call_all();

}  // namespace MPI
