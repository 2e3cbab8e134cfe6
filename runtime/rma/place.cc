#include "runtime/rma/place.h"

#include "runtime/core/process.h"
#include "runtime/rma/attached_regions.h"
#include "runtime/rma/passive_target.h"
#include "runtime/type/type_handles.h"

namespace atl::rma {
namespace {

[[gnu::cold]] Error no_epoch(const WindowState& state, const Target& target) {
  const std::string last =
      state.last_call == nullptr ? "" : std::string("; the last call was ") + state.last_call;
  if (state.epoch == Epoch::started || state.epoch == Epoch::locks) {
    return make_error(MPI_ERR_RMA_SYNC,
                      "target_rank=%d of %s: the access epoch, which %s opened, is not "
                      "to this rank",
                      state.rank_of(target), state.label().c_str(),
                      state.epoch == Epoch::started ? "MPI_Win_start" : "MPI_Win_lock");
  }
  return make_error(
      MPI_ERR_RMA_SYNC,
      "target_rank=%d of %s: no access epoch is open; call MPI_Win_fence, MPI_Win_start, "
      "MPI_Win_lock or MPI_Win_lock_all first%s",
      state.rank_of(target), state.label().c_str(), last.c_str());
}

[[gnu::cold]] Error out_of_range(const WindowState& state, const Target& target,
                                 MPI_Aint displacement, const Layout& layout) {
  const int rank = state.rank_of(target);
  if (displacement < 0 && !state.is_dynamic()) {
    return make_error(MPI_ERR_DISP, "target_disp=%lld is negative",
                      static_cast<long long>(displacement));
  }
  Range range{};
  static_cast<void>(range_of(layout, range));
  if (state.is_dynamic()) {
    return make_error(
        MPI_ERR_RMA_RANGE,
        "target_disp=%#llx: rank %d of %s has not attached all of the %lld bytes from "
        "this address on",
        static_cast<unsigned long long>(displacement), rank, state.label().c_str(),
        static_cast<long long>(range.end - range.first));
  }
  const auto unit = static_cast<long long>(target.exposed.disp_unit);
  return make_error(
      MPI_ERR_RMA_RANGE,
      "target_disp=%lld: bytes %lld to %lld of the window are needed (displacement unit %lld), and "
      "rank %d of %s has %llu bytes",
      static_cast<long long>(displacement),
      displacement * unit + static_cast<long long>(range.first),
      displacement * unit + static_cast<long long>(range.end) - 1, unit, rank,
      state.label().c_str(), static_cast<unsigned long long>(target.exposed.bytes));
}

// Sets `place` to `offset` from the start of the exposed memory, which is mapped at `memory`.
void set_place(const Exposed& exposed, std::byte* memory, std::int64_t offset, Place& place) {
  place.address = exposed.address + static_cast<std::uint64_t>(offset);
  if (memory != nullptr) place.direct = memory + offset;
}

}  // namespace

Error open_access(WindowState& state, Target& target) {
  switch (state.epoch) {
    case Epoch::lock_all: return lock_lazily(state, target);
    case Epoch::fence:
      state.used = true;
      state.open_to_all = true;
      return {};
    default: return no_epoch(state, target);
  }
}

bool range_of(const Layout& layout, Range& range) {
  range = {};
  if (layout.bytes() == 0) return true;
  const Datatype& type = layout.type;
  std::int64_t last = 0;  // offset of the last element
  if (__builtin_mul_overflow(static_cast<std::int64_t>(layout.count - 1),
                             static_cast<std::int64_t>(type.extent()), &last)) {
    return false;
  }
  const std::int64_t lower = type.true_lower_bound();
  const std::int64_t upper = lower + type.true_extent();
  return !__builtin_add_overflow(lower, std::min<std::int64_t>(last, 0), &range.first) &&
         !__builtin_add_overflow(upper, std::max<std::int64_t>(last, 0), &range.end);
}

Error find_any_place(WindowState& state, Target& target, MPI_Aint displacement,
                     const Layout& layout, Place& place) {
  if (!layout.type.committed()) {
    return make_error(MPI_ERR_TYPE,
                      "target_datatype=%s is not committed; call MPI_Type_commit first",
                      label(layout.type).c_str());
  }
  Range range{};
  std::int64_t offset = 0;
  if (!range_of(layout, range) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(displacement),
                             state.is_dynamic() ? 1 : target.exposed.disp_unit, &offset)) {
    return out_of_range(state, target, displacement, layout);
  }
  place.target = &target;
  if (state.is_dynamic()) {
    if (range.first == range.end) return {};
    Exposed region;
    if (!find_attached(state, target, offset, range, region)) {
      return out_of_range(state, target, displacement, layout);
    }
    set_place(region, map_exposed(target, region),
              offset - static_cast<std::int64_t>(region.address), place);
    return {};
  }
  std::int64_t first = 0;
  std::int64_t end = 0;
  if (displacement < 0 || __builtin_add_overflow(offset, range.first, &first) ||
      __builtin_add_overflow(offset, range.end, &end) || first < 0 ||
      static_cast<std::uint64_t>(end) > target.exposed.bytes) {
    return out_of_range(state, target, displacement, layout);
  }
  if (range.first == range.end) return {};
  set_place(target.exposed, memory_of(target), offset, place);
  return {};
}

Error does_not_fit(const Layout& from, const Layout& to) {
  const std::size_t bytes = from.bytes();
  if (bytes > to.bytes()) {
    return make_error(
        MPI_ERR_TRUNCATE,
        "%zu bytes (%zu of %s) do not fit into %zu bytes (%zu of %s) on the other side", bytes,
        from.count, label(from.type).c_str(), to.bytes(), to.count, label(to.type).c_str());
  }
  return make_error(MPI_ERR_TYPE, "the type signatures differ: one side has %s, the other %s",
                    datatype::describe(from.type.signature(bytes)).c_str(),
                    datatype::describe(to.type.signature(bytes)).c_str());
}

}  // namespace atl::rma
