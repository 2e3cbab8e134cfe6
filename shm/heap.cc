#include "shm/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/offset_ptr.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>
#include <map>
#include <new>

#include "base/check.h"
#include "shm/base/cache_line.h"
#include "shm/file_range.h"
#include "shm/heap_views.h"
#include "shm/memory_limits.h"
#include "shm/segment.h"

namespace atl::shm {
namespace {

// Its blocks, and the 64 bytes before each in which it keeps their sizes, lie at multiples of
// kAlignment. It writes nothing into a block, neither while that is in use nor when it is free.
using BestFit =
    boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family,
                                         boost::interprocess::offset_ptr<void>, Heap::kAlignment>;
constexpr std::uint64_t kBefore = Heap::kAlignment;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kFirstBytes = 64 * 1024;  // of an empty heap
constexpr std::uint64_t kLongBlock = 256 * 1024;  // from here on pages go back with each block
constexpr std::uint64_t kUnlikely = 64 * kMiB;    // from here on a request is compared with the RAM

constexpr char kOverwritten[] = "the list of free memory in this rank's heap is overwritten";

std::uint64_t round_down(std::uint64_t bytes, std::uint64_t unit) { return bytes / unit * unit; }

}  // namespace

struct Heap::State {
  State(const Segment& segment, std::uint32_t rank)
      : views(segment, rank), provide_first((segment.header().flags & kJobSealed) == 0) {}

  bool begin();
  void construct();
  void* take(std::size_t bytes, std::size_t alignment);
  bool grow(std::size_t bytes, std::size_t alignment);
  bool note(std::byte* block, std::uint64_t bytes);
  void include_in_dumps();
  void give_back(std::uint64_t start, std::uint64_t bytes);
  void give_back_gaps();
  void give_back_all();

  std::uint64_t offset(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - base);
  }
  // Bytes that need not go back at once.
  std::uint64_t spare() const { return provide_first ? kLongBlock : kMiB; }
  std::uint64_t end_of_last() const {
    return live.empty() ? kPage : live.rbegin()->first + live.rbegin()->second;
  }

  HeapViews views;
  // The file is in a /dev/shm of limited size, or the system may refuse pages. An access to a page
  // may then end the process with SIGBUS, so memory is provided before the allocator gets it.
  bool provide_first;

  std::byte* base = nullptr;                    // of the own heap; null before the first allocation
  std::uint64_t mapped = 0;                     // bytes of it
  BestFit* best_fit = nullptr;                  // at `base`
  std::uint64_t managed = 0;                    // bytes of the mapping that the allocator has
  std::map<std::uint64_t, std::uint64_t> live;  // blocks: offset and bytes
  std::uint64_t in_use = 0;                     // bytes of them
  std::uint64_t freed = 0;   // bytes in short blocks since pages were last given back
  std::uint64_t high = 0;    // end of the highest block since the heap was last empty
  std::uint64_t dumped = 0;  // end of what core dumps include
};

// Maps the own heap. False: there is no memory or address space.
bool Heap::State::begin() {
  provide_first = provide_first || overcommit_is_forbidden();
  const HeapViews::View* own = views.map_own(kHugePage);
  if (own == nullptr || (provide_first && !views.provide(0, kFirstBytes))) return false;
  base = own->base;
  mapped = own->bytes;
  construct();
  return true;
}

void Heap::State::construct() {
  best_fit = new (base) BestFit(kFirstBytes, 0);
  managed = kFirstBytes;
}

void* Heap::State::take(std::size_t bytes, std::size_t alignment) {
  return alignment == kAlignment ? best_fit->allocate(bytes)
                                 : best_fit->allocate_aligned(bytes, alignment);
}

// Extends what the allocator manages, so that it has a block of `bytes` bytes.
bool Heap::State::grow(std::size_t bytes, std::size_t alignment) {
  const std::uint64_t unit = provide_first ? kFirstBytes : kHugePage;
  const std::uint64_t needed = end_of_last() + bytes + alignment + kPage;
  const std::uint64_t end = round_up(std::max(needed, managed + kPage), unit);
  if (end > mapped) return false;
  const std::uint64_t first = round_down(managed, kPage);
  if (provide_first && !views.provide(first, end - first)) return false;
  best_fit->grow(end - managed);
  managed = end;
  return true;
}

// Enters a new block among the live ones. False: there is no private memory.
bool Heap::State::note(std::byte* block, std::uint64_t bytes) {
  const std::uint64_t start = offset(block);
  const auto next = live.lower_bound(start);
  ATL_CHECK(start >= kBefore && start < mapped && bytes <= mapped - start &&
                (next == live.end() || next->first - start >= bytes) &&
                (next == live.begin() || std::prev(next)->first + std::prev(next)->second <= start),
            kOverwritten);
  try {
    live.emplace_hint(next, start, bytes);
  } catch (const std::bad_alloc&) {
    return false;
  }
  in_use += bytes;
  high = std::max(high, start + bytes);
  return true;
}

// Blocks are in the core dumps of their owner, like memory from malloc. What has never been
// allocated is not, since a dump allocates every page that it reads.
void Heap::State::include_in_dumps() {
  if (high <= dumped) return;
  const std::uint64_t end = std::min(round_up(high, 16 * kPage), mapped);
  ::madvise(base + dumped, end - dumped, MADV_DODUMP);
  dumped = end;
}

void Heap::State::give_back(std::uint64_t start, std::uint64_t bytes) {
  if (live.empty() && high > spare()) return give_back_all();
  if (bytes >= kLongBlock && !provide_first) {
    return give_back_pages(base + start, base + start + bytes);
  }
  freed += bytes;
  if (freed > std::max(spare(), in_use / 2)) give_back_gaps();
}

// So seldom that the memory of free blocks stays below half of what is in use.
void Heap::State::give_back_gaps() {
  freed = 0;
  if (provide_first) {  // only the end: the allocator may use other free blocks at any time
    const std::uint64_t before = managed;
    best_fit->shrink_to_fit();
    managed = best_fit->get_size();
    ATL_CHECK(managed <= before, kOverwritten);
    return give_back_pages(base + std::max(managed, kFirstBytes), base + round_up(before, kPage));
  }
  std::uint64_t end = kPage;  // of the block before
  const auto give_back_before = [&](std::uint64_t start) {
    // Behind `end` the allocator has the node of its tree, before `start` a block's size.
    if (start >= end + 16 * kPage) give_back_pages(base + end + kBefore, base + start - kBefore);
  };
  for (const auto& [start, bytes] : live) {
    give_back_before(start);
    end = start + bytes;
  }
  give_back_before(managed);
}

void Heap::State::give_back_all() {
  give_back_pages(base + kFirstBytes, base + round_up(managed, kPage));
  if (dumped > kFirstBytes) {
    ::madvise(base + kFirstBytes, dumped - kFirstBytes, MADV_DONTDUMP);
    dumped = kFirstBytes;
  }
  freed = high = 0;
  construct();
}

Heap::Heap(const Segment& segment, std::uint32_t rank)
    : state_(std::make_unique<State>(segment, rank)) {}
Heap::Heap(Heap&&) noexcept = default;
Heap::~Heap() = default;

void* Heap::allocate(std::size_t bytes, std::size_t alignment) {
  State& state = *state_;
  const std::uint64_t most = state.views.heap_bytes();
  if (bytes > most || alignment > most) return nullptr;
  bytes = round_up(std::max(bytes, kAlignment), kAlignment);
  alignment = std::max(alignment, bytes >= kHugePage ? kHugePage : kAlignment);
  if (bytes >= kUnlikely && bytes > memory_limit()) return nullptr;
  if (state.base == nullptr && !state.begin()) return nullptr;
  void* block = state.take(bytes, alignment);
  if (block == nullptr && state.grow(bytes, alignment)) block = state.take(bytes, alignment);
  if (block == nullptr) return nullptr;
  if (!state.note(static_cast<std::byte*>(block), bytes)) {
    state.best_fit->deallocate(block);
    return nullptr;
  }
  state.include_in_dumps();
  if (bytes >= kHugePage) ::madvise(block, round_down(bytes, kHugePage), MADV_HUGEPAGE);
  return block;
}

void Heap::free(void* block) {
  State& state = *state_;
  const auto found = state.live.find(state.offset(block));
  ATL_CHECK(found != state.live.end(), "a block of the heap is freed that does not live");
  const auto [start, bytes] = *found;
  state.live.erase(found);
  state.in_use -= bytes;
  state.best_fit->deallocate(block);
  state.give_back(start, bytes);
}

bool Heap::owns(const void* block) const {
  return state_->base != nullptr && state_->live.contains(state_->offset(block));
}

std::size_t Heap::blocks() const { return state_->live.size(); }

std::byte* Heap::at(std::uint32_t rank, std::uint64_t offset, std::uint64_t bytes) {
  return state_->views.at(rank, offset, bytes);
}

std::optional<Heap::Place> Heap::find(const void* address, std::size_t bytes) const {
  return state_->views.find(static_cast<const std::byte*>(address), bytes);
}

std::uint64_t Heap::offset_of(const void* address) const {
  ATL_DCHECK(state_->offset(address) < state_->mapped);
  return state_->offset(address);
}

}  // namespace atl::shm
