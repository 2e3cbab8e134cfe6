// State shared by the groups and communicators derived from one session (MPI 5.0, 11.3). Those of
// the world model have none.
#pragma once

#include "runtime/comm/extensions.h"

namespace atl {

struct SessionState {
  Extensions extensions;  // what the layers above keep with the session
};

}  // namespace atl
