#include "runtime/rma/attached_regions.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/process.h"
#include "runtime/rma/exposed.h"

namespace atl::rma {
namespace {

constexpr std::uint32_t kFewRegions = 16;  // entries of the first table; each table doubles

AttachedRegion* table_of(WindowState& state, Target& target, std::uint32_t& entries) {
  WindowBlock* block = state.block_of(target);
  if (block == nullptr) return nullptr;
  // Pairs with the store in publish_table(): the table that the offset names has that many entries.
  entries = block->regions.load_acquire();
  if (entries == 0) return nullptr;
  const std::uint64_t offset = block->regions_offset.load_relaxed();  // Relaxed: see above.
  return reinterpret_cast<AttachedRegion*>(
      process.heap->at(target.world_rank, offset, entries * sizeof(AttachedRegion)));
}

bool contains(const Exposed& region, std::uint64_t first, std::uint64_t bytes) {
  return first >= region.address && bytes <= region.bytes &&
         first - region.address <= region.bytes - bytes;
}

bool overlaps(const Exposed& region, std::uint64_t first, std::uint64_t bytes) {
  return region.bytes != 0 && first < region.address + region.bytes &&
         region.address < first + bytes;
}

// Makes the table of this process longer. The old tables stay until the window is freed, because
// origins may be reading them.
AttachedRegion* grow(WindowState& state) {
  const auto used = static_cast<std::uint32_t>(state.regions.size());
  const std::uint32_t entries = std::max(kFewRegions, 2 * used);
  const std::size_t bytes = entries * sizeof(AttachedRegion);
  void* memory = process.heap->allocate(bytes);
  if (memory == nullptr) return nullptr;
  state.tables.push_back(memory);
  std::memset(memory, 0, bytes);
  auto* table = static_cast<AttachedRegion*>(memory);
  for (std::uint32_t i = 0; i < used; ++i) table[i].publish(state.regions[i]);
  state.regions.resize(entries);
  // Relaxed: the release below orders it. A reader that has the old number of entries with the new
  // offset finds the same regions there.
  state.block->regions_offset.store_relaxed(process.heap->offset_of(table));
  // Pairs with the load in table_of().
  state.block->regions.store_release(entries);
  return table;
}

Error check_dynamic(const WindowState& state) {
  if (state.is_dynamic()) return {};
  return make_error(MPI_ERR_RMA_FLAVOR, "win=%s was not made by MPI_Win_create_dynamic",
                    state.name().c_str());
}

}  // namespace

bool find_attached(WindowState& state, Target& target, std::int64_t address, const Range& range,
                   Exposed& region) {
  std::uint32_t entries = 0;
  const AttachedRegion* table = table_of(state, target, entries);
  if (table == nullptr) return false;
  const auto first = static_cast<std::uint64_t>(address + range.first);
  const auto bytes = static_cast<std::uint64_t>(range.end - range.first);
  for (std::uint32_t i = 0; i < entries; ++i) {
    if (table[i].read(region) && region.bytes != 0 && contains(region, first, bytes)) return true;
  }
  return false;
}

Error attach(Window& win, void* base, MPI_Aint size) {
  WindowState& state = state_of(win);
  if (Error error = check_dynamic(state)) return error;
  if (size < 0) {
    return make_error(MPI_ERR_SIZE, "size=%lld is negative", static_cast<long long>(size));
  }
  if (size == 0) {
    state.attached_empty.push_back(base);
    return {};
  }
  const Exposed made = exposed_memory(base, static_cast<std::uint64_t>(size), 1);
  for (const Exposed& one : state.regions) {
    if (!overlaps(one, made.address, made.bytes)) continue;
    return make_error(
        MPI_ERR_RMA_ATTACH,
        "base=%p, size=%lld: overlaps the %llu bytes at %#llx that are attached to %s", base,
        static_cast<long long>(size), static_cast<unsigned long long>(one.bytes),
        static_cast<unsigned long long>(one.address), state.label().c_str());
  }
  auto unused = std::ranges::find(state.regions, std::uint64_t{0}, &Exposed::bytes);
  auto i = static_cast<std::size_t>(unused - state.regions.begin());
  if (unused == state.regions.end() && grow(state) == nullptr) {
    return make_error(MPI_ERR_NO_MEM, "no memory to attach another region to %s",
                      state.label().c_str());
  }
  state.regions[i] = made;
  static_cast<AttachedRegion*>(state.tables.back())[i].publish(made);
  return {};
}

Error detach(Window& win, const void* base) {
  WindowState& state = state_of(win);
  if (Error error = check_dynamic(state)) return error;
  const auto address = reinterpret_cast<std::uint64_t>(base);
  for (std::size_t i = 0; i < state.regions.size(); ++i) {
    if (state.regions[i].bytes == 0 || state.regions[i].address != address) continue;
    state.regions[i] = {};
    static_cast<AttachedRegion*>(state.tables.back())[i].publish({});
    return {};
  }
  const auto empty = std::ranges::find(state.attached_empty, base);
  if (empty != state.attached_empty.end()) {
    state.attached_empty.erase(empty);
    return {};
  }
  return make_error(MPI_ERR_RMA_ATTACH, "base=%p: nothing is attached to %s at this address", base,
                    state.label().c_str());
}

}  // namespace atl::rma
