#include "shm/heap_views.h"

#include <algorithm>
#include <new>

#include "base/check.h"
#include "shm/base/cache_line.h"
#include "shm/memory_limits.h"
#include "shm/segment.h"

namespace atl::shm {
namespace {

constexpr std::uint64_t kFirstView = std::uint64_t{1} << 30;  // bytes mapped of another's heap
constexpr std::uint64_t kShortView = 64 * 1024;  // the same where address space is limited

}  // namespace

HeapViews::HeapViews(const Segment& segment, std::uint32_t own)
    : files_(segment.descriptor()),
      heaps_offset_(segment.header().heaps_offset),
      heap_bytes_(segment.header().heap_bytes),
      own_(own),
      longest_(segment.capacity()) {}

HeapViews::~HeapViews() {
  for (const auto& [base, view] : views_) unmap(view.base, view.bytes);
}

const HeapViews::View* HeapViews::longest(std::uint32_t rank) const {
  // Pairs with the store_release in map(): the View is complete.
  return longest_[rank].load_acquire();
}

std::byte* HeapViews::at(std::uint32_t rank, std::uint64_t offset, std::uint64_t bytes) {
  ATL_CHECK(rank < longest_.size() && bytes <= heap_bytes_ && offset <= heap_bytes_ - bytes,
            "%llu bytes at offset %llu of the heap of rank %u are not in it",
            static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(offset), rank);
  const View* view = longest(rank);
  if (view == nullptr || offset + bytes > view->bytes) view = extend(rank, offset + bytes);
  return view == nullptr ? nullptr : view->base + offset;
}

std::optional<Heap::Place> HeapViews::find(const std::byte* address, std::uint64_t bytes) const {
  const std::lock_guard guard(lock_);
  auto behind = views_.upper_bound(address);
  if (behind == views_.begin()) return std::nullopt;
  const View& view = std::prev(behind)->second;
  const auto offset = static_cast<std::uint64_t>(address - view.base);
  if (offset >= view.bytes || bytes > view.bytes - offset) return std::nullopt;
  return Heap::Place{view.rank, offset};
}

const HeapViews::View* HeapViews::map_own(std::uint64_t least) {
  const std::lock_guard guard(lock_);
  if (const View* view = longest(own_)) return view->bytes >= least ? view : nullptr;
  std::uint64_t bytes = heap_bytes_;
  // Where this process has less address space than the job was made for.
  const std::uint64_t limit = address_space_limit();
  if (limit != kNoLimit) bytes = std::min(bytes, round_up(limit / 8, kHugePage));
  for (; bytes >= std::max(least, kHugePage); bytes = bytes / 2 / kHugePage * kHugePage) {
    if (const View* view = map(own_, bytes)) {
      prefer_own_node(view->base, view->bytes);
      return view;
    }
  }
  return nullptr;
}

// A longer view is twice as long as the one before, so that there are few.
const HeapViews::View* HeapViews::extend(std::uint32_t rank, std::uint64_t least) {
  if (rank == own_) return map_own(least);
  const std::lock_guard guard(lock_);
  const View* before = longest(rank);
  if (before != nullptr && before->bytes >= least) return before;  // another thread was here
  const bool limited = address_space_limit() != kNoLimit;
  const std::uint64_t wanted = before != nullptr ? 2 * before->bytes
                               : limited         ? kShortView
                                                 : kFirstView;
  least = round_up(least, kShortView);
  if (const View* view = map(rank, std::min(std::max(wanted, least), heap_bytes_))) return view;
  return wanted > least ? map(rank, least) : nullptr;
}

// The caller holds lock_.
const HeapViews::View* HeapViews::map(std::uint32_t rank, std::uint64_t bytes) {
  std::byte* base = files_.map(offset_of_heap(rank), bytes);
  if (base == nullptr) return nullptr;
  try {
    const View& view = views_.try_emplace(base, View{base, bytes, rank}).first->second;
    // Pairs with longest(): the View comes before its address.
    longest_[rank].store_release(&view);
    return &view;
  } catch (const std::bad_alloc&) {
    unmap(base, bytes);
    return nullptr;
  }
}

}  // namespace atl::shm
