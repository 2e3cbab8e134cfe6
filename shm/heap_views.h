// The heaps of a job as far as this process has mapped them. Any thread may use them. A mapping
// stays as long as the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/shared.h"
#include "shm/file_range.h"
#include "shm/heap.h"

namespace atl::shm {

class HeapViews {
 public:
  // A mapping of the first `bytes` of the heap of `rank`.
  struct View {
    std::byte* base;
    std::uint64_t bytes;
    std::uint32_t rank;
  };

  HeapViews(const Segment& segment, std::uint32_t own);
  ~HeapViews();
  HeapViews(const HeapViews&) = delete;
  HeapViews& operator=(const HeapViews&) = delete;

  // See Heap.
  std::byte* at(std::uint32_t rank, std::uint64_t offset, std::uint64_t bytes);
  std::optional<Heap::Place> find(const std::byte* address, std::uint64_t bytes) const;

  // The own heap: all of it, or as much as the system permits, but at least `least` bytes. Null:
  // that is too much.
  const View* map_own(std::uint64_t least);

  std::uint64_t heap_bytes() const { return heap_bytes_; }

  // Takes memory for bytes of the own heap now. False: there is not enough, and none is taken.
  bool provide(std::uint64_t offset, std::uint64_t bytes) const {
    return files_.provide(offset_of_heap(own_) + offset, bytes);
  }

 private:
  std::uint64_t offset_of_heap(std::uint32_t rank) const {
    return heaps_offset_ + rank * heap_bytes_;
  }
  const View* longest(std::uint32_t rank) const;
  const View* extend(std::uint32_t rank, std::uint64_t least);
  const View* map(std::uint32_t rank, std::uint64_t bytes);

  FileRanges files_;
  std::uint64_t heaps_offset_;
  std::uint64_t heap_bytes_;
  std::uint32_t own_;
  mutable std::mutex lock_;                       // of views_; also held by those who map
  std::map<const std::byte*, const View> views_;  // by address
  std::vector<Shared<const View*>> longest_;      // of each rank; null: none yet
};

}  // namespace atl::shm
