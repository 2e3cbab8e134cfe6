#include "runtime/rma/window_state.h"

#include "runtime/core/process.h"

namespace atl::rma {

WindowState::WindowState(Window& window, Communicator& comm, int flavor)
    : window(window), comm(&comm), rank(comm.rank()), flavor(flavor), hints(window_hints()) {}

WindowState::~WindowState() {
  for (void* table : tables) process.heap->free(table);
  if (own_memory != nullptr) process.heap->free(own_memory);
  if (block != nullptr) process.heap->free(block);
  comm->freed = true;
  release(*comm);
}

std::string WindowState::name() const {
  return window.name().empty() ? comm->name() : window.name();
}

void WindowState::name_communicator() const {
  if (!window.name().empty()) comm->set_name("window " + window.name());
}

std::string WindowState::label() const {
  return window.name().empty() ? "the " + comm->name() : "window " + window.name();
}

WindowBlock* WindowState::map_block(Target& target) {
  std::byte* mapped =
      process.heap->at(target.world_rank, target.block_offset, WindowBlock::footprint(members()));
  target.block = reinterpret_cast<WindowBlock*>(mapped);
  return target.block;
}

Error no_block(const WindowState& state, const Target& target) {
  return make_error(MPI_ERR_NO_MEM, "the memory of rank %d of %s cannot be mapped",
                    state.rank_of(target), state.label().c_str());
}

}  // namespace atl::rma
