#include "runtime/rma/window_creation.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "datatype/predefined.h"
#include "runtime/coll/calls.h"
#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/contexts.h"
#include "runtime/core/process.h"
#include "runtime/rma/copy_service.h"
#include "runtime/rma/epochs.h"
#include "runtime/rma/exposed.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {
namespace {

// What a member tells the others when the window is made.
struct Introduction {
  Exposed exposed;
  std::uint64_t block_offset = 0;                 // of its WindowBlock, in its heap
  std::uint32_t context = construct::kNoContext;  // rank 0: for the window's communicator
  std::int32_t error_class = MPI_SUCCESS;         // this member's part cannot be made
  std::uint32_t never_small = 0;                  // 1: see AccumulateGuard
  std::uint32_t hints = 0;                        // hash of those that must be equal on all members
};

using Introductions = std::vector<Introduction>;

// `all` receives what each member passes as `mine`.
template <class T>
Error exchange(const T& mine, std::vector<T>& all, Communicator& comm) {
  all.resize(static_cast<std::size_t>(comm.size()));
  return coll::run(coll::Allgather(&mine, sizeof mine, &datatype::bytes(), all.data(), sizeof mine,
                                   &datatype::bytes(), comm));
}

// Memory of the own heap that goes back there unless release() is called.
struct FreeHeap {
  void operator()(void* memory) const { process.heap->free(memory); }
};
using HeapMemory = std::unique_ptr<void, FreeHeap>;

HeapMemory allocate_in_heap(std::size_t bytes, std::size_t alignment = shm::Heap::kAlignment) {
  return HeapMemory(process.heap->allocate(bytes, alignment));
}

// What is made before the members introduce themselves.
struct Draft {
  Communicator& comm;
  int flavor;
  const Info& info;
  Introduction mine = {};
  HeapMemory memory = {};  // of MPI_Win_allocate
  HeapMemory block = {};
  Error error = {};  // of this member

  void fail(Error found) {
    if (error) return;
    error = found;
    mine.error_class = found.error_class();
  }
};

Error no_memory(std::uint64_t bytes) {
  return make_error(MPI_ERR_NO_MEM, "no memory for %llu bytes of the window",
                    static_cast<unsigned long long>(bytes));
}

Error check_intra(const Communicator& comm) {
  if (!comm.is_inter()) return {};
  return make_error(MPI_ERR_COMM, "comm=%s is an inter-communicator", comm.label().c_str());
}

// The error of a member whose arguments are wrong. It still takes part in the exchange, so that all
// members return an error.
Error check_arguments(MPI_Aint size, MPI_Aint disp_unit) {
  if (size < 0) {
    return make_error(MPI_ERR_SIZE, "size=%lld is negative", static_cast<long long>(size));
  }
  if (disp_unit <= 0) {
    return make_error(MPI_ERR_DISP, "disp_unit=%lld is not positive",
                      static_cast<long long>(disp_unit));
  }
  return {};
}

// A hash of the hints that must be equal on all members (12.2.1, 12.2.3).
std::uint32_t hash_of(const Info& info) {
  std::string all;
  for (const char* key : {"no_locks", "accumulate_ordering", "accumulate_ops", "same_size",
                          "same_disp_unit", "alloc_shared_noncontig"}) {
    const std::string* value = info.find(key);
    if (value != nullptr) all += std::string(key) + "=" + *value + ";";
  }
  const std::size_t hash = std::hash<std::string>()(all);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

// Several threads of this process, or a membarrier that is refused: see AccumulateGuard.
bool never_small() { return process.threaded || process.fence == shm::FenceMode::alone; }

Draft begin(Communicator& comm, int flavor, const Info& info, MPI_Aint size, MPI_Aint disp_unit) {
  Draft draft{comm, flavor, info};
  if (Error error = check_arguments(size, disp_unit)) draft.fail(error);
  const auto members = static_cast<std::uint32_t>(comm.size());
  draft.block = allocate_in_heap(WindowBlock::footprint(members));
  if (draft.block == nullptr) {
    draft.fail(no_memory(WindowBlock::footprint(members)));
  } else {
    std::memset(draft.block.get(), 0, WindowBlock::footprint(members));
    draft.mine.block_offset = process.heap->offset_of(draft.block.get());
  }
  draft.mine.never_small = never_small() ? 1 : 0;
  draft.mine.hints = hash_of(info);
  if (comm.rank() == 0) draft.mine.context = construct::take_context(comm.size());
  return draft;
}

// All members return an error when one of them cannot make its part, or there is no context left.
Error check(const Draft& draft, const Introductions& all) {
  if (all[0].context == construct::kNoContext) return construct::no_context_left();
  if (draft.error) return draft.error;
  const auto other =
      std::ranges::find_if(all, [&](const Introduction& one) { return one.hints != all[0].hints; });
  if (other != all.end()) {
    return make_error(
        MPI_ERR_INFO,
        "info: ranks 0 and %td of %s have different hints, which must be equal on all "
        "ranks",
        other - all.begin(), draft.comm.label().c_str());
  }
  const auto failed = std::ranges::find_if(
      all, [](const Introduction& one) { return one.error_class != MPI_SUCCESS; });
  if (failed == all.end()) return {};
  return make_error(failed->error_class, "rank %td of %s cannot make its part of the window",
                    failed - all.begin(), draft.comm.label().c_str());
}

void give_up(const Introductions& all) { construct::release_context(all[0].context); }

void set_targets(WindowState& state, const Introductions& all) {
  state.targets.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Target& target = state.targets[i];
    target.exposed = all[i].exposed;
    target.block_offset = all[i].block_offset;
    target.world_rank = state.comm->world_rank(static_cast<int>(i));
  }
}

// Where one member cannot copy from the memory of another, each member copies for the others.
Error exchange_mailboxes(WindowState& state) {
  struct Reach {
    std::uint64_t mailbox = 0;
    std::uint64_t all = 0;
  };
  Reach mine{.all = reaches_all(*state.comm) ? 1u : 0u};
  std::vector<Reach> reaches;
  if (Error error = exchange(mine, reaches, *state.comm)) return error;
  if (std::ranges::all_of(reaches, [](const Reach& one) { return one.all != 0; })) return {};
  // No memory: the others find no mailbox and get an error for each operation to this member.
  static_cast<void>(start_copy_service(mine.mailbox));
  if (Error error = exchange(mine, reaches, *state.comm)) return error;
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    state.targets[i].mailbox_offset = reaches[i].mailbox;
  }
  return {};
}

bool needs_kernel_copies(const WindowState& state, const Introductions& all) {
  return state.is_dynamic() || std::ranges::any_of(all, [](const Introduction& one) {
           return one.exposed.in_heap == 0 && one.exposed.bytes != 0;
         });
}

// Makes the window after the members have introduced themselves.
Error finish(Draft& draft, const Introductions& all, MPI_Win* win) {
  Communicator& comm =
      construct::make_intra(draft.comm, draft.comm.members(), draft.comm.rank(), all[0].context);
  Window& window = windows.create();
  auto state = std::make_shared<WindowState>(window, comm, draft.flavor);
  set_targets(*state, all);
  state->hints.apply(draft.info);
  state->block = static_cast<WindowBlock*>(draft.block.release());
  state->own().block = state->block;
  state->own_memory = draft.memory.release();
  const bool private_memory = needs_kernel_copies(*state, all);
  const bool never = private_memory || std::ranges::any_of(all, [](const Introduction& one) {
                       return one.never_small != 0;
                     });
  state->block->guard.construct(never);
  state->base = reinterpret_cast<void*>(draft.mine.exposed.address);
  state->bytes = static_cast<MPI_Aint>(draft.mine.exposed.bytes);
  state->disp_unit = static_cast<int>(draft.mine.exposed.disp_unit);
  comm.set_name("window of " + draft.comm.label());
  comm.is_part = true;  // of another object: it ends with the window
  window.extensions.set(kWindowState, state);
  *win = handle_of(window);
  if (private_memory) return exchange_mailboxes(*state);
  // No member operates on a guard that is not constructed.
  return never ? coll::run(coll::Barrier(comm)) : Error();
}

// Introduces the members and makes the window.
Error make(Draft& draft, MPI_Win* win) {
  Introductions all;
  if (Error error = exchange(draft.mine, all, draft.comm)) return error;
  if (Error error = check(draft, all)) {
    give_up(all);
    return error;
  }
  return finish(draft, all, win);
}

void set_base(void* baseptr, void* base) { std::memcpy(baseptr, &base, sizeof base); }

// Each member's part in its own heap.
Error allocate_separately(Draft& draft, MPI_Aint size, MPI_Aint disp_unit, void* baseptr,
                          MPI_Win* win) {
  if (draft.error) return make(draft, win);
  draft.memory = allocate_in_heap(static_cast<std::size_t>(size),
                                  wanted_alignment(draft.info, shm::Heap::kAlignment));
  if (draft.memory == nullptr) {
    draft.fail(no_memory(static_cast<std::uint64_t>(size)));
  } else {
    draft.mine.exposed =
        exposed_memory(draft.memory.get(), static_cast<std::uint64_t>(size), disp_unit);
  }
  void* base = draft.memory.get();
  if (Error error = make(draft, win)) return error;
  set_base(baseptr, base);
  return {};
}

// The parts of all members directly one after another, in the heap of rank 0 (12.2.3).
Error allocate_together(Draft& draft, MPI_Aint size, MPI_Aint disp_unit, void* baseptr,
                        MPI_Win* win) {
  std::vector<std::uint64_t> sizes;
  const std::uint64_t own = draft.error ? 0 : static_cast<std::uint64_t>(size);
  if (Error error = exchange(own, sizes, draft.comm)) return error;
  std::uint64_t total = 0;
  bool fits = true;
  for (const std::uint64_t one : sizes) fits = fits && !__builtin_add_overflow(total, one, &total);
  if (draft.comm.rank() == 0 && !draft.error) {
    draft.memory =
        fits ? allocate_in_heap(total, wanted_alignment(draft.info, shm::Heap::kAlignment))
             : nullptr;
    if (draft.memory != nullptr) {
      draft.mine.exposed = exposed_memory(draft.memory.get(), total, 1);
    } else {
      draft.fail(no_memory(total));
    }
  }
  draft.mine.exposed.disp_unit = disp_unit;
  Introductions all;
  if (Error error = exchange(draft.mine, all, draft.comm)) return error;
  if (Error error = check(draft, all)) {
    give_up(all);
    return error;
  }
  // The address is known here once the block of rank 0 is mapped.
  const Exposed block = all[0].exposed;
  std::byte* mapped = process.heap->at(block.heap_rank, block.heap_offset, total);
  std::vector<std::uint32_t> mapped_by;
  if (Error error = exchange(std::uint32_t{mapped != nullptr}, mapped_by, draft.comm)) return error;
  if (std::ranges::count(mapped_by, 0u) != 0) {
    give_up(all);
    return make_error(MPI_ERR_NO_MEM, "the memory of the window cannot be mapped by all ranks");
  }
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Exposed& part = all[i].exposed;
    const std::int64_t unit = part.disp_unit;
    part = {.address = block.address + offset,
            .bytes = sizes[i],
            .disp_unit = unit,
            .heap_offset = block.heap_offset + offset,
            .heap_rank = block.heap_rank,
            .in_heap = 1};
    if (static_cast<int>(i) == draft.comm.rank()) {
      draft.mine.exposed = part;
      draft.mine.exposed.address = reinterpret_cast<std::uint64_t>(mapped) + offset;
    }
    offset += sizes[i];
  }
  if (Error error = finish(draft, all, win)) return error;
  set_base(baseptr, reinterpret_cast<void*>(draft.mine.exposed.address));
  return {};
}

}  // namespace

Error create(void* base, MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
             MPI_Win* win) {
  if (Error error = check_intra(comm)) return error;
  Draft draft = begin(comm, MPI_WIN_FLAVOR_CREATE, info, size, disp_unit);
  if (!draft.error)
    draft.mine.exposed = exposed_memory(base, static_cast<std::uint64_t>(size), disp_unit);
  return make(draft, win);
}

Error allocate(MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
               void* baseptr, MPI_Win* win) {
  if (Error error = check_intra(comm)) return error;
  Draft draft = begin(comm, MPI_WIN_FLAVOR_ALLOCATE, info, size, disp_unit);
  return allocate_separately(draft, size, disp_unit, baseptr, win);
}

Error allocate_shared(MPI_Aint size, MPI_Aint disp_unit, const Info& info, Communicator& comm,
                      void* baseptr, MPI_Win* win) {
  if (Error error = check_intra(comm)) return error;
  Draft draft = begin(comm, MPI_WIN_FLAVOR_SHARED, info, size, disp_unit);
  const std::string* noncontig = info.find("alloc_shared_noncontig");
  if (noncontig != nullptr && *noncontig == "true") {
    return allocate_separately(draft, size, disp_unit, baseptr, win);
  }
  return allocate_together(draft, size, disp_unit, baseptr, win);
}

Error create_dynamic(const Info& info, Communicator& comm, MPI_Win* win) {
  if (Error error = check_intra(comm)) return error;
  Draft draft = begin(comm, MPI_WIN_FLAVOR_DYNAMIC, info, 0, 1);
  return make(draft, win);
}

Error free(MPI_Win* win) {
  Window& window = *find_window(*win);
  WindowState& state = state_of(window);
  if (Error error = check_no_start_or_lock(state)) return error;
  if (Error error = check_fence_unused(state, "MPI_Win_free")) return error;
  if (Error error = check_not_exposed(state)) return error;
  if (Error error = window.attributes.remove_all(*win)) return error;
  // No member accesses memory of another afterwards.
  if (Error error = coll::run(coll::Barrier(*state.comm))) return error;
  windows.destroy(window);
  *win = MPI_WIN_NULL;
  return {};
}

}  // namespace atl::rma
