// Copies to and from memory of another process, by the kernel. Where the kernel refuses that, as in
// some containers, a thread of the target copies: it waits for requests in the target's heap and
// does nothing else, so that the target need not call MPI.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "runtime/core/error.h"
#include "runtime/rma/remote_copy.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {

// Whether this process reaches the memory of all members of `comm` through the kernel.
bool reaches_all(const Communicator& comm);

// Starts the thread of this process, if it does not run yet. Returns the offset of its mailbox in
// the heap of this process; MPI_ERR_NO_MEM when there is no memory for it.
Error start_copy_service(std::uint64_t& mailbox_offset);

// Ends the thread: MPI ends in this process.
void stop_copy_service();

// Copies `blocks` of the target's process to (Direction::read) or from contiguous `memory`.
Error copy_blocks(WindowState& state, Target& target, std::span<const iovec> blocks,
                  std::byte* memory, Direction direction);

}  // namespace atl::rma
