#include "runtime/rma/request_forms.h"

namespace atl::rma {

Error not_passive(const WindowState& state) {
  return make_error(MPI_ERR_RMA_SYNC,
                    "win=%s: this call is allowed only between MPI_Win_lock and MPI_Win_unlock, or "
                    "MPI_Win_lock_all and MPI_Win_unlock_all",
                    state.name().c_str());
}

}  // namespace atl::rma
