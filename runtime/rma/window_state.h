// The state of a window in this process (MPI 5.0, chapter 12): its memory, its targets and its
// epochs.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "runtime/comm/communicator.h"
#include "runtime/comm/window.h"
#include "runtime/objects/hints.h"
#include "runtime/rma/window_block.h"

namespace atl::rma {

// How this process may access a target.
enum class Hold : std::uint8_t {
  none,
  started,    // MPI_Win_start named it
  unlocked,   // locked with MPI_MODE_NOCHECK: no lock was taken
  shared,     // the shared lock is taken
  exclusive,  // the exclusive lock is taken
};

struct Target {
  Exposed exposed;
  std::byte* memory = nullptr;       // its memory, mapped here; null: not mapped (yet)
  WindowBlock* block = nullptr;      // null: not mapped yet
  std::uint64_t block_offset = 0;    // in the heap of world_rank
  std::uint64_t mailbox_offset = 0;  // of its copy service, there too; 0: it has none
  std::uint32_t world_rank = 0;
  Hold hold = Hold::none;
  bool locking = false;  // a thread of this process waits for the lock
};

// The access epoch of this process.
enum class Epoch : std::uint8_t {
  none,
  fence,     // MPI_Win_fence was called; an operation makes it an access epoch
  started,   // MPI_Win_start
  locks,     // MPI_Win_lock, for one or more targets
  lock_all,  // MPI_Win_lock_all
};

// A message of 0 bytes from a member, by which MPI_Win_post or MPI_Win_complete is noticed.
struct Notice {
  int rank;
  bool arrived = false;
};
// At addresses that stay, because receives under way refer to them.
using Notices = std::vector<std::unique_ptr<Notice>>;

struct WindowState {
  WindowState(Window& window, Communicator& comm, int flavor);
  ~WindowState();
  WindowState(const WindowState&) = delete;
  WindowState& operator=(const WindowState&) = delete;

  int size() const { return static_cast<int>(targets.size()); }
  std::uint32_t members() const { return static_cast<std::uint32_t>(targets.size()); }
  int rank_of(const Target& target) const { return static_cast<int>(&target - targets.data()); }
  Target& own() { return targets[static_cast<std::size_t>(rank)]; }
  bool is_dynamic() const { return flavor == MPI_WIN_FLAVOR_DYNAMIC; }

  // The block of a target; null: the system refuses to map it.
  WindowBlock* block_of(Target& target) {
    return __builtin_expect(target.block != nullptr, 1) ? target.block : map_block(target);
  }

  // For messages: the window's name, or what else tells it apart; the same as part of a sentence.
  std::string name() const;
  std::string label() const;
  // Gives the window's name to its communicator, whose name the descriptions of waits have.
  void name_communicator() const;

  Window& window;
  Communicator* comm = nullptr;  // its own: synchronization never meets the program's messages
  int rank = 0;                  // of this process in the window's group
  int flavor = 0;
  std::vector<Target> targets;
  bool blocks_mapped = false;  // of all targets
  Hints hints;

  // --- access epoch ---
  bool open_to_all = false;  // operations may go to each target, whatever its `hold`
  Epoch epoch = Epoch::none;
  bool used = false;                // fence: an operation was called since
  bool queried = false;             // MPI_Win_shared_query was called: addresses may be in use
  int locked = 0;                   // locks: how many targets
  std::vector<int> held;            // started, lock_all: targets whose `hold` is set
  const char* last_call = nullptr;  // the call that opened or closed the epoch last

  // --- exposure epoch ---
  bool exposed = false;  // between MPI_Win_post and MPI_Win_wait
  Notices completes;     // the messages of MPI_Win_complete

  // --- what MPI_Win_get_attr gives ---
  void* base = nullptr;
  MPI_Aint bytes = 0;
  int disp_unit = 1;
  int model = MPI_WIN_UNIFIED;

  // --- memory that ends with the window ---
  void* own_memory = nullptr;  // of MPI_Win_allocate, in this process's heap; null: none
  WindowBlock* block = nullptr;

  // --- dynamic window: what this process has attached; 0 bytes: an unused entry ---
  std::vector<Exposed> regions;
  std::vector<const void*> attached_empty;  // addresses attached with 0 bytes
  std::vector<void*> tables;  // in this process's heap, for the others; the last one is in use

 private:
  [[gnu::cold]] WindowBlock* map_block(Target& target);
};

// MPI_ERR_NO_MEM: the block cannot be mapped.
[[gnu::cold]] Error no_block(const WindowState& state, const Target& target);

// MPI_ERR_RANK: the value of `argument` is no rank of the window's group.
[[gnu::cold]] Error no_such_rank(const WindowState& state, const char* argument, int rank);

// Memory that a member exposes, mapped here; null when only the kernel reaches it.
std::byte* map_exposed(const Target& member, const Exposed& exposed);
// The memory of a member's part of the window. Once it is mapped, operations take the fast path.
inline std::byte* memory_of(Target& member) {
  if (member.memory == nullptr) member.memory = map_exposed(member, member.exposed);
  return member.memory;
}

inline constexpr ExtensionSlot<WindowState> kWindowState{Extension::one_sided};

inline WindowState& state_of(Window& window) {
  WindowState* state = window.extensions.get(kWindowState);
  ATL_DCHECK(state != nullptr);
  return *state;
}

}  // namespace atl::rma
