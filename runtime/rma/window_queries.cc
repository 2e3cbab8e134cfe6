#include "runtime/rma/window_queries.h"

#include <cstring>

#include "runtime/comm/group.h"
#include "runtime/core/process.h"
#include "runtime/objects/attributes.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {
namespace {

// The first member with memory, which MPI_PROC_NULL stands for (12.2.3); null: there is none.
Target* first_with_memory(WindowState& state) {
  for (Target& target : state.targets) {
    if (target.exposed.bytes != 0) return &target;
  }
  return nullptr;
}

[[gnu::cold]] Error not_shared(const WindowState& state) {
  const char* what = state.is_dynamic() ? "MPI_Win_create_dynamic" : "MPI_Win_create";
  return make_error(
      MPI_ERR_RMA_FLAVOR,
      "win=%s was made by %s: its memory is not shared; MPI_Win_allocate_shared shares it",
      state.name().c_str(), what);
}

}  // namespace

Error shared_query(Window& win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr) {
  WindowState& state = state_of(win);
  if (rank != MPI_PROC_NULL && (rank < 0 || rank >= state.size())) {
    return no_such_rank(state, "rank", rank);
  }
  if (state.is_dynamic()) return not_shared(state);
  Target* target = rank == MPI_PROC_NULL ? first_with_memory(state)
                                         : &state.targets[static_cast<std::size_t>(rank)];
  void* address = nullptr;
  *size = 0;
  *disp_unit = 0;
  if (target != nullptr) {
    address = state.rank_of(*target) == state.rank ? state.base : memory_of(*target);
    // Memory of one process alone: nothing is shared with the others (12.2.3).
    const bool shared = address != nullptr || target->exposed.bytes == 0;
    if (!shared && state.flavor == MPI_WIN_FLAVOR_SHARED) {
      return make_error(MPI_ERR_NO_MEM, "the memory of rank %d of %s cannot be mapped", rank,
                        state.label().c_str());
    }
    if (shared) *size = static_cast<MPI_Aint>(target->exposed.bytes);
    *disp_unit = target->exposed.disp_unit;
  }
  state.queried = true;
  std::memcpy(baseptr, &address, sizeof address);
  return {};
}

Error get_group(Window& win, MPI_Group* group) {
  const WindowState& state = state_of(win);
  *group = groups.make(state.comm->members(), state.comm->session_state);
  return {};
}

Error set_info(Window& win, const Info& info) {
  state_of(win).hints.apply(info);
  return {};
}

Error get_info(Window& win, MPI_Info* info_used) {
  *info_used = infos.create(state_of(win).hints.in_use());
  return {};
}

Error get_attr(Window& win, const Keyval<MPI_Win>& keyval, void* value, int* flag) {
  if (keyval.standard == nullptr) return objects::get_attr(win, keyval, value, flag);
  WindowState& state = state_of(win);
  void* found = nullptr;
  switch (keyval.number) {
    case MPI_WIN_BASE: found = state.base; break;
    case MPI_WIN_SIZE: found = &state.bytes; break;
    case MPI_WIN_DISP_UNIT: found = &state.disp_unit; break;
    case MPI_WIN_CREATE_FLAVOR: found = &state.flavor; break;
    default: found = &state.model; break;
  }
  *flag = 1;
  std::memcpy(value, &found, sizeof found);
  return {};
}

void make_window_attributes() {
  auto& table = keyvals<MPI_Win>;
  table.add_standard(MPI_WIN_BASE, "MPI_WIN_BASE");
  table.add_standard(MPI_WIN_SIZE, "MPI_WIN_SIZE");
  table.add_standard(MPI_WIN_DISP_UNIT, "MPI_WIN_DISP_UNIT");
  table.add_standard(MPI_WIN_CREATE_FLAVOR, "MPI_WIN_CREATE_FLAVOR");
  table.add_standard(MPI_WIN_MODEL, "MPI_WIN_MODEL");
}

}  // namespace atl::rma
