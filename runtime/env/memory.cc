// MPI_Alloc_mem and MPI_Free_mem (MPI 5.0, 9.2): memory of this rank's heap, which every rank can
// address.
#include <map>
#include <new>

#include "runtime/core/process.h"
#include "runtime/env/env.h"
#include "runtime/objects/hints.h"

namespace atl::env {
namespace {

// What MPI_Alloc_mem has given and MPI_Free_mem has not had back: bytes by address. The heap knows
// its blocks as well, but others allocate in it, too.
std::map<const std::byte*, MPI_Aint> allocated;

// Why `base` is not what MPI_Alloc_mem has given.
Error wrong_base(const std::byte* base) {
  const auto behind = allocated.upper_bound(base);
  if (behind != allocated.begin()) {
    const auto& [start, size] = *std::prev(behind);
    if (base - start < size) {
      return make_error(MPI_ERR_BASE,
                        "base=%p lies %lld bytes behind the address that MPI_Alloc_mem returned",
                        static_cast<const void*>(base), static_cast<long long>(base - start));
    }
  }
  return make_error(MPI_ERR_BASE, "base=%p was not returned by MPI_Alloc_mem, or is freed already",
                    static_cast<const void*>(base));
}

}  // namespace

// The hint mpi_memory_alloc_kinds changes nothing: all memory is of the kinds "system" and "mpi".
Error alloc_mem(MPI_Aint size, const Info& info, void* baseptr) {
  shm::Heap& heap = *process.heap;
  void* memory =
      heap.allocate(static_cast<std::size_t>(size), wanted_alignment(info, shm::Heap::kAlignment));
  if (memory == nullptr) {
    return make_error(MPI_ERR_NO_MEM, "size=%lld bytes are not to be had",
                      static_cast<long long>(size));
  }
  try {
    allocated.emplace(static_cast<const std::byte*>(memory), size);
  } catch (const std::bad_alloc&) {
    heap.free(memory);
    throw;
  }
  *static_cast<void**>(baseptr) = memory;
  return {};
}

Error free_mem(void* base) {
  if (base == nullptr) return {};  // like free(): other implementations return it for size 0
  const auto found = allocated.find(static_cast<const std::byte*>(base));
  if (found == allocated.end()) return wrong_base(static_cast<const std::byte*>(base));
  allocated.erase(found);
  process.heap->free(base);
  return {};
}

}  // namespace atl::env
