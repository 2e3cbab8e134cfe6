// The heaps of a job: the part of the segment's file behind `heaps_offset` (job.h). Each rank slot
// has one, in which its rank alone allocates. Every rank can address all of them.
//
// A Heap is one process's view. Its own heap is mapped at the first allocation, those of other
// ranks when at() first needs them, and as far as at() needs. The file is sparse: untouched pages
// cost no memory, and the pages of freed blocks go back to the system.
//
// The free blocks form Boost.Interprocess' best-fit tree, which lies in the heap itself. What is
// allocated is in private memory as well, so that only a block that lives can be freed.
//
// A forked child shares the memory. It must not allocate or free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace atl::shm {

class Segment;

class Heap {
 public:
  // No two blocks share a cache line.
  static constexpr std::size_t kAlignment = 64;

  struct Place {
    std::uint32_t rank;    // whose heap
    std::uint64_t offset;  // from the start of that heap
  };

  // The heaps of the segment's job as `rank` uses them. Keeps no reference to `segment`, but its
  // descriptor must stay open.
  Heap(const Segment& segment, std::uint32_t rank);
  Heap(Heap&&) noexcept;
  ~Heap();  // removes all mappings

  // The caller of these four excludes other threads. ----------------------------------------------

  // A block of at least `bytes` bytes, also of 0, at a multiple of `alignment`, a power of two. Its
  // contents are arbitrary. From 2 MiB on it is aligned to huge pages and asks for them.
  // Null: there is no memory, and nothing has changed.
  void* allocate(std::size_t bytes, std::size_t alignment = kAlignment);

  // Frees a block, of which owns() must be true.
  void free(void* block);

  // Whether allocate() returned this address and it has not been freed since.
  bool owns(const void* block) const;

  // The blocks that allocate() has returned and that are not freed.
  std::size_t blocks() const;

  // Any thread may call these. --------------------------------------------------------------------

  // The first of `bytes` bytes at `offset` in the heap of `rank`. The address stays valid as long
  // as the Heap lives. Fails a check unless the bytes lie in that heap. Null: the system refuses
  // to map them.
  std::byte* at(std::uint32_t rank, std::uint64_t offset, std::uint64_t bytes);

  // Where `bytes` bytes at `address` lie, if they lie in one heap as far as it is mapped here.
  std::optional<Place> find(const void* address, std::size_t bytes) const;

  // Offset of an address in the own heap: what other ranks give to at().
  std::uint64_t offset_of(const void* address) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl::shm
