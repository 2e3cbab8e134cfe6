// Ranges of the segment's file: mapped, provided with memory, and given back.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace atl::shm {

inline constexpr std::uint64_t kPage = 4096;
inline constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

// Names the file by its descriptor, which somebody else closes. If the program has closed it or has
// opened another file as that descriptor, all calls fail.
class FileRanges {
 public:
  explicit FileRanges(int descriptor);

  // Maps `bytes` bytes at `offset`, shared, at an address aligned like huge pages if the range is
  // that long. Not in core dumps. Null: the system refuses.
  std::byte* map(std::uint64_t offset, std::uint64_t bytes) const;

  // Takes the memory for the range now. False: there is not enough, and none is taken.
  bool provide(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  bool is_open() const;

  int descriptor_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

void unmap(std::byte* start, std::uint64_t bytes);

// Gives the memory of the whole pages between two addresses of a mapping back to the system, in all
// processes; they read as zero. Without effect if the program has locked the pages (mlock).
void give_back_pages(std::byte* start, std::byte* end);

// Memory of the range, which is one mapping, shall be on the node where this thread runs, whichever
// process uses it first. Without effect on a machine with one node, or if the program or its
// starter has chosen a policy.
void prefer_own_node(std::byte* start, std::uint64_t bytes);

}  // namespace atl::shm
