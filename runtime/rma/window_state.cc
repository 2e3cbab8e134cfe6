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

Error no_such_rank(const WindowState& state, const char* argument, int rank) {
  return make_error(MPI_ERR_RANK, "%s=%d is outside the group of %s, of size %d", argument, rank,
                    state.label().c_str(), state.size());
}

std::byte* map_exposed(const Target& member, const Exposed& exposed) {
  if (exposed.in_heap != 0) {
    return process.heap->at(exposed.heap_rank, exposed.heap_offset, exposed.bytes);
  }
  const bool own = member.world_rank == process.rank;
  return own ? reinterpret_cast<std::byte*>(exposed.address) : nullptr;
}

}  // namespace atl::rma
