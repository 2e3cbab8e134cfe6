#include "runtime/rma/exposed.h"

#include "runtime/core/process.h"

namespace atl::rma {

Exposed exposed_memory(void* base, std::uint64_t bytes, std::int64_t disp_unit) {
  Exposed exposed{
      .address = reinterpret_cast<std::uint64_t>(base), .bytes = bytes, .disp_unit = disp_unit};
  if (const auto place = process.heap->find(base, bytes)) {
    exposed.heap_offset = place->offset;
    exposed.heap_rank = place->rank;
    exposed.in_heap = 1;
  }
  return exposed;
}

}  // namespace atl::rma
