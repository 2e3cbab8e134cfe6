#include "runtime/rma/put_get.h"

#include "base/copy.h"
#include "datatype/transfer.h"
#include "runtime/rma/place.h"
#include "runtime/rma/remote_copy.h"
#include "runtime/rma/request_forms.h"

namespace atl::rma {
namespace {

// Copies all data from one layout to the other; both are mapped here. Memory that two ranks
// access at the same time holds single values of 8 bytes or less, which are copied in one move.
void copy(const Layout& to, std::byte* target, const Layout& from, const std::byte* origin) {
  const std::size_t bytes = from.bytes();
  if (__builtin_expect(to.type.is_contiguous() && from.type.is_contiguous(), 1)) {
    return copy_small(to.type.first_byte(target), from.type.first_byte(origin), bytes);
  }
  datatype::transfer(to.type, target, from.type, origin, 0, bytes);
}

}  // namespace

Error put(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count,
          const Datatype& target_datatype, Window& win) {
  WindowState& state = state_of(win);
  const Layout origin = layout_of(origin_datatype, origin_count);
  const Layout target = layout_of(target_datatype, target_count);
  Place place;
  if (Error error = find_place(state, target_rank, target_disp, target, place)) return error;
  if (Error error = check_fits(origin, target)) return error;
  if (__builtin_expect(place.direct == nullptr, 0)) {
    return write_remote(state, place, target, origin, origin_addr);
  }
  copy(target, place.direct, origin, static_cast<const std::byte*>(origin_addr));
  return {};
}

Error get(void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
          int target_rank, MPI_Aint target_disp, MPI_Count target_count,
          const Datatype& target_datatype, Window& win) {
  WindowState& state = state_of(win);
  const Layout origin = layout_of(origin_datatype, origin_count);
  const Layout target = layout_of(target_datatype, target_count);
  Place place;
  if (Error error = find_place(state, target_rank, target_disp, target, place)) return error;
  if (Error error = check_fits(target, origin)) return error;
  if (__builtin_expect(place.direct == nullptr, 0)) {
    return read_remote(state, place, target, origin, origin_addr);
  }
  copy(origin, static_cast<std::byte*>(origin_addr), target, place.direct);
  return {};
}

Error rput(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
           int target_rank, MPI_Aint target_disp, MPI_Count target_count,
           const Datatype& target_datatype, Window& win, MPI_Request* request) {
  return with_request(win, request, [&] {
    return put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win);
  });
}

Error rget(void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
           int target_rank, MPI_Aint target_disp, MPI_Count target_count,
           const Datatype& target_datatype, Window& win, MPI_Request* request) {
  return with_request(win, request, [&] {
    return get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win);
  });
}

}  // namespace atl::rma
