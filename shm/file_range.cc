#include "shm/file_range.h"

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bitset>

#include "shm/base/cache_line.h"

namespace atl::shm {
namespace {

std::uint64_t number_of(const std::byte* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

// Address space that nothing uses yet, at a multiple of kHugePage; null when there is none.
std::byte* reserve_aligned(std::uint64_t bytes) {
  void* found = ::mmap(nullptr, bytes + kHugePage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(found);
  const std::uint64_t before = round_up(number_of(start), kHugePage) - number_of(start);
  if (before != 0) ::munmap(start, before);
  ::munmap(start + before + bytes, kHugePage - before);
  return start + before;
}

}  // namespace

FileRanges::FileRanges(int descriptor) : descriptor_(descriptor) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return;
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
}

bool FileRanges::is_open() const {
  struct stat facts {};
  return ::fstat(descriptor_, &facts) == 0 && facts.st_dev == device_ && facts.st_ino == inode_;
}

std::byte* FileRanges::map(std::uint64_t offset, std::uint64_t bytes) const {
  if (!is_open()) return nullptr;
  std::byte* place = nullptr;
  if (bytes >= kHugePage) {
    place = reserve_aligned(bytes);
    if (place == nullptr) return nullptr;
  }
  // Not accessible at first: otherwise the kernel would provide all pages at once in a program that
  // has locked its future memory (mlockall).
  const int fixed = place != nullptr ? MAP_FIXED : 0;
  void* mapped = ::mmap(place, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | fixed, descriptor_,
                        static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) {
    if (place != nullptr) ::munmap(place, bytes);
    return nullptr;
  }
  // A core dump would read, and so allocate, every page of the sparse file.
  ::madvise(mapped, bytes, MADV_DONTDUMP);
  if (::mprotect(mapped, bytes, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(mapped, bytes);
    return nullptr;
  }
  return static_cast<std::byte*>(mapped);
}

bool FileRanges::provide(std::uint64_t offset, std::uint64_t bytes) const {
  return is_open() &&
         ::fallocate(descriptor_, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0;
}

void unmap(std::byte* start, std::uint64_t bytes) { ::munmap(start, bytes); }

void give_back_pages(std::byte* start, std::byte* end) {
  const std::uint64_t skipped = round_up(number_of(start), kPage) - number_of(start);
  const std::uint64_t bytes = number_of(end) / kPage * kPage;
  if (number_of(start) + skipped >= bytes) return;
  ::madvise(start + skipped, bytes - number_of(start) - skipped, MADV_REMOVE);
}

void prefer_own_node(std::byte* start, std::uint64_t bytes) {
  constexpr std::size_t kNodes = 1024;
  unsigned long allowed[kNodes / 64] = {};
  if (::syscall(SYS_get_mempolicy, nullptr, allowed, kNodes, nullptr, MPOL_F_MEMS_ALLOWED) != 0) {
    return;
  }
  std::size_t nodes = 0;
  for (const unsigned long part : allowed) nodes += std::bitset<64>(part).count();
  int policy = MPOL_DEFAULT;
  unsigned cpu = 0;
  unsigned node = 0;
  if (nodes < 2 || ::syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) != 0 ||
      policy != MPOL_DEFAULT || ::syscall(SYS_getcpu, &cpu, &node, nullptr) != 0 ||
      node >= kNodes) {
    return;
  }
  unsigned long wanted[kNodes / 64] = {};
  wanted[node / 64] = 1ul << node % 64;
  ::syscall(SYS_mbind, start, bytes, MPOL_PREFERRED, wanted, kNodes + 1, 0);
}

}  // namespace atl::shm
