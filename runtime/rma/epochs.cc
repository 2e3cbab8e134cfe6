#include "runtime/rma/epochs.h"

namespace atl::rma {
namespace {

const char* opener(Epoch epoch) {
  switch (epoch) {
    case Epoch::fence: return "MPI_Win_fence";
    case Epoch::started: return "MPI_Win_start";
    case Epoch::locks: return "MPI_Win_lock";
    case Epoch::lock_all: return "MPI_Win_lock_all";
    case Epoch::none: break;
  }
  return "";
}

const char* closer(Epoch epoch) {
  switch (epoch) {
    case Epoch::fence: return "MPI_Win_fence";
    case Epoch::started: return "MPI_Win_complete";
    case Epoch::locks: return "MPI_Win_unlock";
    case Epoch::lock_all: return "MPI_Win_unlock_all";
    case Epoch::none: break;
  }
  return "";
}

[[gnu::cold]] Error epoch_open(const WindowState& state) {
  return make_error(MPI_ERR_RMA_SYNC,
                    "win=%s: the access epoch that %s opened is still open; call %s first",
                    state.name().c_str(), opener(state.epoch), closer(state.epoch));
}

}  // namespace

Error check_assertion(int assertion, int known) {
  if ((assertion & ~known) == 0) return {};
  return make_error(MPI_ERR_ASSERT, "assert=%d: this call does not know all of these assertions",
                    assertion);
}

Error check_fence_unused(const WindowState& state, const char* call) {
  if (state.epoch != Epoch::fence || !state.used) return {};
  return make_error(
      MPI_ERR_RMA_SYNC,
      "win=%s: operations were called since the last MPI_Win_fence; call MPI_Win_fence "
      "before %s",
      state.name().c_str(), call);
}

Error check_no_start_or_lock(const WindowState& state) {
  const bool open = state.epoch != Epoch::none && state.epoch != Epoch::fence;
  return open ? epoch_open(state) : Error();
}

Error check_no_access(const WindowState& state, const char* call) {
  if (state.epoch == Epoch::none) return {};
  return state.epoch == Epoch::fence ? check_fence_unused(state, call) : epoch_open(state);
}

Error check_not_exposed(const WindowState& state) {
  if (!state.exposed) return {};
  return make_error(MPI_ERR_RMA_SYNC,
                    "win=%s: the exposure epoch that MPI_Win_post opened is still open; call "
                    "MPI_Win_wait first",
                    state.name().c_str());
}

Error not_exposed(const WindowState& state) {
  return make_error(MPI_ERR_RMA_SYNC, "win=%s: no exposure epoch is open; MPI_Win_post opens one",
                    state.name().c_str());
}

Error wrong_epoch(const WindowState& state, const char* opener_of_it) {
  if (state.epoch == Epoch::none) {
    return make_error(MPI_ERR_RMA_SYNC, "win=%s: no access epoch is open; %s opens one",
                      state.name().c_str(), opener_of_it);
  }
  return make_error(MPI_ERR_RMA_SYNC, "win=%s: the access epoch was opened by %s, not by %s",
                    state.name().c_str(), opener(state.epoch), opener_of_it);
}

void open_epoch(WindowState& state, Epoch epoch, const char* call) {
  state.epoch = epoch;
  state.used = false;
  state.open_to_all = false;
  state.last_call = call;
}

void hold(WindowState& state, int rank, Hold how) {
  state.held.push_back(rank);
  state.targets[static_cast<std::size_t>(rank)].hold = how;
}

}  // namespace atl::rma
