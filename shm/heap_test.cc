#include "shm/heap.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/testing/failed_check.h"
#include "shm/file_range.h"
#include "shm/memory_limits.h"
#include "shm/segment.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::Watchdog;

constexpr std::size_t kMiB = 1 << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanLimit = false;  // they reserve terabytes of address space
#else
constexpr bool kCanLimit = true;
#endif

Segment make(std::uint32_t size) {
  auto result = Segment::create({.size = size});
  if (auto* why = std::get_if<std::string>(&result)) FAIL(*why);
  return std::move(std::get<Segment>(result));
}

// Bytes of memory that the segment occupies now.
std::uint64_t memory_of(const Segment& segment) {
  struct stat facts {};
  REQUIRE(::fstat(segment.descriptor(), &facts) == 0);
  return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

struct Block {
  std::byte* start;
  std::size_t bytes;
  std::byte content;
};

bool intact(const Block& block) {
  return std::all_of(block.start, block.start + block.bytes,
                     [&](std::byte one) { return one == block.content; });
}

bool overlaps(const std::map<std::byte*, Block>& live, const Block& block) {
  const auto next = live.lower_bound(block.start);
  if (next != live.end() && block.start + block.bytes > next->first) return true;
  return next != live.begin() &&
         std::prev(next)->first + std::prev(next)->second.bytes > block.start;
}

// Mostly short blocks, some long ones.
std::size_t some_size(testing::Random& random) {
  switch (random.below(40)) {
    case 0: return random.below(6 * kMiB);
    case 1:
    case 2: return random.below(512 * 1024);
    default: return random.below(3000);
  }
}

TEST_CASE("blocks do not overlap, keep their content and are aligned") {
  Watchdog watchdog("blocks do not overlap");
  const Segment segment = make(2);
  Heap heap(segment, 1);
  testing::Random random(11);
  std::map<std::byte*, Block> live;
  for (int step = 0; step < 6000; ++step) {
    const bool more = random.below(100) < (step / 1000 % 2 == 0 ? 65u : 35u);
    if (more || live.empty()) {
      const std::size_t alignment = std::size_t{1} << random.below(random.below(20) == 0 ? 23 : 8);
      Block block{nullptr, some_size(random), static_cast<std::byte>(step)};
      block.start = static_cast<std::byte*>(heap.allocate(block.bytes, alignment));
      REQUIRE(block.start != nullptr);
      REQUIRE(reinterpret_cast<std::uintptr_t>(block.start) % alignment == 0);
      REQUIRE(reinterpret_cast<std::uintptr_t>(block.start) % Heap::kAlignment == 0);
      REQUIRE_FALSE(overlaps(live, block));
      std::memset(block.start, static_cast<int>(block.content), block.bytes);
      live.emplace(block.start, block);
    } else {
      auto victim = live.lower_bound(std::prev(live.end())->first - random.below(20 * kMiB));
      REQUIRE(intact(victim->second));
      REQUIRE(heap.owns(victim->first));
      heap.free(victim->first);
      REQUIRE_FALSE(heap.owns(victim->first));
      live.erase(victim);
    }
    REQUIRE(heap.blocks() == live.size());
  }
  for (const auto& [start, block] : live) {
    CHECK(intact(block));
    heap.free(start);
  }
  CHECK(heap.blocks() == 0);
}

TEST_CASE("every block has an address of its own, also of 0 bytes") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  void* first = heap.allocate(0);
  void* second = heap.allocate(0);
  CHECK(first != nullptr);
  CHECK(second != nullptr);
  CHECK(first != second);
  heap.free(first);
  heap.free(second);
}

TEST_CASE("long blocks are aligned like huge pages, also in the file") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  for (const std::size_t bytes : {2 * kMiB, 3 * kMiB + 1, 64 * kMiB}) {
    void* block = heap.allocate(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % kHugePage == 0);
    CHECK(heap.offset_of(block) % kHugePage == 0);
  }
  CHECK(segment.header().heaps_offset % kHugePage == 0);
  CHECK(segment.header().heap_bytes % kHugePage == 0);
}

TEST_CASE("only a block that lives is owned or freed") {
  const atl::testing::ThrowsFailedChecks throws;
  const Segment segment = make(1);
  Heap heap(segment, 0);
  int outside = 0;
  CHECK_FALSE(heap.owns(&outside));
  CHECK_THROWS_AS(heap.free(&outside), atl::testing::FailedCheck);
  auto* block = static_cast<std::byte*>(heap.allocate(1000));
  CHECK(heap.owns(block));
  for (const void* other : {static_cast<void*>(block + 64), static_cast<void*>(block - 64),
                            static_cast<void*>(&outside), static_cast<void*>(nullptr)}) {
    CHECK_FALSE(heap.owns(other));
  }
  heap.free(block);
  CHECK_FALSE(heap.owns(block));
  CHECK_THROWS_AS(heap.free(block), atl::testing::FailedCheck);
}

TEST_CASE("what does not fit is refused, and changes nothing") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  const std::uint64_t most = segment.header().heap_bytes;
  const auto refuses_too_much = [&] {
    for (const std::uint64_t bytes :
         {~std::uint64_t{0}, most + 1, most, std::uint64_t{1} << 62, memory_limit() + 1}) {
      CAPTURE(bytes);
      CHECK(heap.allocate(bytes) == nullptr);
    }
    CHECK(heap.allocate(64, most) == nullptr);
    CHECK(heap.allocate(64, std::size_t{1} << 63) == nullptr);
  };
  refuses_too_much();
  CHECK(heap.blocks() == 0);
  CHECK(memory_of(segment) < kMiB);
  void* block = heap.allocate(10 * kMiB);
  REQUIRE(block != nullptr);
  std::memset(block, 7, 10 * kMiB);
  refuses_too_much();
  CHECK(intact({static_cast<std::byte*>(block), 10 * kMiB, std::byte{7}}));
  CHECK(heap.blocks() == 1);
  CHECK(heap.allocate(5000) != nullptr);
}

void* allocate_and_touch(Heap& heap, std::size_t bytes) {
  void* block = heap.allocate(bytes);
  REQUIRE(block != nullptr);
  std::memset(block, 1, bytes);
  return block;
}

TEST_CASE("a long block is given back to the system when it is freed") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  allocate_and_touch(heap, 100);  // the heap is not empty
  const std::uint64_t before = memory_of(segment);
  for (const std::size_t bytes : {256 * 1024ul, kMiB, 20 * kMiB + 12345}) {
    CAPTURE(bytes);
    void* block = allocate_and_touch(heap, bytes);
    CHECK(memory_of(segment) >= before + bytes);
    heap.free(block);
    CHECK(memory_of(segment) <= before + 32 * 1024);
  }
}

TEST_CASE("the memory of many short blocks goes back to the system, beside one that stays") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  std::vector<void*> blocks;
  for (int i = 0; i < 10000; ++i) blocks.push_back(allocate_and_touch(heap, 4000));
  CHECK(memory_of(segment) >= 40000000);
  for (int i = 0; i < 10000; ++i) {
    if (i != 5000) heap.free(blocks[i]);
  }
  CHECK(memory_of(segment) < 4 * kMiB);
  CHECK(intact({static_cast<std::byte*>(blocks[5000]), 4000, std::byte{1}}));
  // Again in the same place.
  for (int i = 0; i < 5000; ++i) blocks[i] = allocate_and_touch(heap, 4000);
  CHECK(intact({static_cast<std::byte*>(blocks[5000]), 4000, std::byte{1}}));
  for (int i = 0; i < 5000; ++i) heap.free(blocks[i]);
  heap.free(blocks[5000]);
  CHECK(memory_of(segment) < kMiB);
}

TEST_CASE("one after the other: always the same memory and the same place") {
  const Segment segment = make(1);
  Heap heap(segment, 0);
  for (const std::size_t bytes : {1000ul, 100000ul, 3 * kMiB}) {
    void* first = allocate_and_touch(heap, bytes);
    heap.free(first);
    const std::uint64_t before = memory_of(segment);
    for (int i = 0; i < 1000; ++i) {
      void* block = heap.allocate(bytes);
      REQUIRE(block == first);
      std::memset(block, 1, 100);
      heap.free(block);
    }
    CHECK(memory_of(segment) <= before + 64 * 1024);
  }
}

TEST_CASE("another rank reads what the owner wrote, and the other way round") {
  Watchdog watchdog("another rank reads");
  const Segment segment = make(3);
  Heap heap(segment, 2);
  auto* block = static_cast<int*>(heap.allocate(3 * kMiB));
  auto* last = static_cast<int*>(heap.allocate(sizeof(int)));
  block[1000] = 41;
  *last = 42;
  const std::uint64_t offset = heap.offset_of(block);
  const std::uint64_t offset_of_last = heap.offset_of(last);
  const std::string description = segment.description(segment.descriptor());
  const pid_t child = testing::start([&] {
    auto joined = Segment::attach(description.c_str());
    Heap other(std::get<Segment>(joined), 0);
    auto* there = reinterpret_cast<int*>(other.at(2, offset, 3 * kMiB));
    if (there == nullptr || there == block || there[1000] != 41) return 1;
    if (*reinterpret_cast<int*>(other.at(2, offset_of_last, sizeof(int))) != 42) return 2;
    there[1001] = 43;
    // The own heap is another one.
    void* own = other.allocate(100);
    if (other.at(0, other.offset_of(own), 100) != own) return 3;
    return 0;
  });
  CHECK(testing::finish(child) == 0);
  CHECK(block[1001] == 43);
  CHECK(heap.at(2, offset, 8) == reinterpret_cast<std::byte*>(block));
}

TEST_CASE("all of a heap can be reached, and nothing behind it") {
  const atl::testing::ThrowsFailedChecks throws;
  const Segment segment = make(2);
  Heap heap(segment, 0);
  const std::uint64_t bytes = segment.header().heap_bytes;
  for (const std::uint32_t rank : {1u, segment.capacity() - 1}) {
    std::byte* start = heap.at(rank, 0, 8);
    REQUIRE(start != nullptr);
    start[0] = std::byte{5};
    std::byte* end = heap.at(rank, bytes - 8, 8);
    REQUIRE(end != nullptr);
    end[7] = std::byte{6};
    CHECK(start[0] == std::byte{5});                // the older mapping is there
    CHECK(heap.at(rank, 0, 1)[0] == std::byte{5});  // and so is this one
    CHECK(heap.at(rank, 0, 1) == end - (bytes - 8));
    CHECK_THROWS_AS(heap.at(rank, bytes - 8, 9), atl::testing::FailedCheck);
    CHECK_THROWS_AS(heap.at(rank, bytes + 1, 0), atl::testing::FailedCheck);
    CHECK_THROWS_AS(heap.at(rank, 8, ~std::uint64_t{0}), atl::testing::FailedCheck);
    CHECK_THROWS_AS(heap.at(rank, ~std::uint64_t{0}, 8), atl::testing::FailedCheck);
  }
  CHECK_THROWS_AS(heap.at(segment.capacity(), 0, 8), atl::testing::FailedCheck);
}

TEST_CASE("an address is found in the heap where it lies") {
  const Segment segment = make(4);
  Heap heap(segment, 1);
  CHECK_FALSE(heap.find(&heap, 1).has_value());
  auto* block = static_cast<std::byte*>(heap.allocate(5000));
  auto place = heap.find(block + 100, 4900);
  REQUIRE(place.has_value());
  CHECK(place->rank == 1);
  CHECK(place->offset == heap.offset_of(block) + 100);
  std::byte* before = heap.at(3, 70000, 10);
  heap.at(3, segment.header().heap_bytes - 1, 1);  // a longer mapping
  for (std::byte* address : {before, heap.at(3, 70000, 10)}) {
    place = heap.find(address, 10);
    REQUIRE(place.has_value());
    CHECK(place->rank == 3);
    CHECK(place->offset == 70000);
  }
  int outside = 0;
  CHECK_FALSE(heap.find(&outside, sizeof outside).has_value());
  CHECK_FALSE(heap.find(nullptr, 0).has_value());
  CHECK_FALSE(heap.find(block, segment.header().heap_bytes).has_value());
}

TEST_CASE("the heap whose list of free memory is overwritten fails a check") {
  const atl::testing::ThrowsFailedChecks throws;
  const Segment segment = make(1);
  Heap heap(segment, 0);
  auto* first = static_cast<std::byte*>(heap.allocate(1000));
  auto* second = static_cast<std::byte*>(heap.allocate(1000));
  std::vector<std::byte> blocks(heap.offset_of(second) + 4096);
  std::memcpy(blocks.data(), first - heap.offset_of(first), blocks.size());
  auto* third = static_cast<std::byte*>(heap.allocate(1000));
  std::memcpy(first - heap.offset_of(first), blocks.data(), blocks.size());
  CHECK(third != nullptr);
  CHECK_THROWS_AS(heap.allocate(1000), atl::testing::FailedCheck);  // the third again
}

TEST_CASE("core dumps contain what was allocated, and nothing else") {
  const Segment segment = make(2);
  Heap heap(segment, 0);
  auto* block = static_cast<std::byte*>(heap.allocate(kMiB));
  std::byte* other = heap.at(1, 0, 8);
  const auto excluded = [](const std::byte* address) {
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
      unsigned long start = 0, end = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx ", &start, &end) == 2) {
        const auto number = reinterpret_cast<unsigned long>(address);
        here = start <= number && number < end;
      }
      if (here && line.rfind("VmFlags:", 0) == 0) {
        return (line + " ").find(" dd ") != std::string::npos;
      }
    }
    return false;
  };
  CHECK_FALSE(excluded(block));
  CHECK_FALSE(excluded(block + kMiB - 1));
  CHECK(excluded(block + 2 * kMiB));
  CHECK(excluded(other));
}

TEST_CASE("a program that closes the descriptor gets no memory, nor does another file") {
  const Segment segment = make(2);
  const pid_t child = testing::start([&] {
    Heap heap(segment, 0);
    const int other = ::memfd_create("other", MFD_CLOEXEC);
    if (::ftruncate(other, static_cast<off_t>(segment.header().file_bytes)) != 0) return 1;
    ::dup2(other, segment.descriptor());
    if (heap.allocate(8) != nullptr) return 2;
    ::close(segment.descriptor());
    if (heap.allocate(8) != nullptr || heap.at(1, 0, 8) != nullptr) return 3;
    return 0;
  });
  CHECK(testing::finish(child) == 0);
}

// Returns the result of `body` in a process with that much address space, in a job made there.
template <class Body>
int with_address_space(std::uint64_t bytes, std::uint32_t ranks, Body body) {
  const pid_t child = testing::start([&] {
    const rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 77;
    auto made = Segment::create({.size = ranks});
    if (!std::holds_alternative<Segment>(made)) return 78;
    Heap heap(std::get<Segment>(made), 0);
    return body(heap, ranks);
  });
  return testing::finish(child);
}

// A block of the own heap, and as much in the heap of each other rank.
bool fits(Heap& heap, std::uint32_t ranks, std::size_t bytes) {
  if (heap.allocate(bytes) == nullptr) return false;
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    std::byte* place = heap.at(rank, 0, bytes);
    if (place == nullptr) return false;
    place[bytes - 1] = std::byte{1};
  }
  return true;
}

TEST_CASE("where address space is limited heaps are smaller, and what does not fit is refused") {
  if (!kCanLimit) return;
  Watchdog watchdog("where address space is limited");
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  const auto long_ones = [](Heap& heap, std::uint32_t ranks) {
    if (!fits(heap, ranks, 200 * kMiB)) return 1;
    if (heap.allocate(kGiB) != nullptr) return 2;
    return heap.allocate(kMiB) != nullptr ? 0 : 3;
  };
  CHECK(with_address_space(4 * kGiB, 8, long_ones) == 0);
  const auto short_ones = [](Heap& heap, std::uint32_t ranks) {
    if (!fits(heap, ranks, 20000)) return 1;
    return heap.allocate(100 * kMiB) != nullptr ? 0 : 2;
  };
  CHECK(with_address_space(4 * kGiB, 1024, short_ones) == 0);
  CHECK(with_address_space(kGiB, 4, short_ones) == 0);
  const auto too_many = [](Heap& heap, std::uint32_t ranks) {
    if (fits(heap, ranks, 100 * kMiB)) return 1;
    return heap.allocate(kMiB) != nullptr ? 0 : 2;
  };
  CHECK(with_address_space(2 * kGiB, 64, too_many) == 0);
}

TEST_CASE("a rank with less address space than its job has maps less of its heap") {
  if (!kCanLimit) return;
  const Segment segment = make(2);
  const pid_t child = testing::start([&] {
    const rlimit limit{std::uint64_t{3} << 30, std::uint64_t{3} << 30};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 77;
    Heap heap(segment, 0);
    if (heap.allocate(300 * kMiB) == nullptr) return 1;
    if (heap.allocate(600 * kMiB) != nullptr) return 2;
    return heap.allocate(kMiB) != nullptr ? 0 : 3;
  });
  CHECK(testing::finish(child) == 0);
}

TEST_CASE("a limit of the file size makes heaps shorter, down to none") {
  for (const std::uint64_t gibibytes : {2u, 6u, 40u}) {
    CAPTURE(gibibytes);
    const pid_t child = testing::start([&] {
      const rlimit limit{gibibytes << 30, gibibytes << 30};
      if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 77;
      const Segment segment = make(2);
      Heap heap(segment, 0);
      const bool some = segment.header().heap_bytes != 0;
      return (heap.allocate(1000) != nullptr) == some && some == (gibibytes > 2) ? 0 : 1;
    });
    CHECK(testing::finish(child) == 0);
  }
}

constexpr int kNotAllowed = 77;

// Mounts a /dev/shm of 1 MiB for this process. False where the system does not permit that.
bool shrink_dev_shm() {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return ::mount("none", "/dev/shm", "tmpfs", 0, "size=1m") == 0;
}

// A segment as create() makes it in /dev/shm where memfds are refused.
Segment make_in_dev_shm() {
  const Segment memfd = make(2);
  JobHeader header = memfd.header();
  header.flags &= ~kJobSealed;
  const int file = ::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  REQUIRE(::ftruncate(file, static_cast<off_t>(header.file_bytes)) == 0);
  REQUIRE(::pwrite(file, &header, sizeof header, 0) == sizeof header);
  auto opened = Segment::observe(("/proc/self/fd/" + std::to_string(file)).c_str());
  ::close(file);
  return std::move(std::get<Segment>(opened));
}

// Allocates and writes blocks until there is no memory.
std::vector<void*> fill(Heap& heap, std::size_t bytes) {
  std::vector<void*> blocks;
  while (void* block = heap.allocate(bytes)) {
    std::memset(block, 1, bytes);
    blocks.push_back(block);
  }
  return blocks;
}

TEST_CASE("a full /dev/shm is no memory, and never SIGBUS") {
  const pid_t child = testing::start([] {
    if (!shrink_dev_shm()) return kNotAllowed;
    const Segment segment = make_in_dev_shm();
    Heap heap(segment, 0);
    if (heap.allocate(kMiB) != nullptr) return 1;
    for (const std::size_t bytes : {100, 5000, 100000, 300000}) {
      for (int again = 0; again < 2; ++again) {
        const std::vector<void*> blocks = fill(heap, bytes);
        if (blocks.size() < 700 * 1024 / (bytes + 128)) return 2;
        for (void* block : blocks) heap.free(block);
      }
    }
    if (memory_of(segment) > 500 * 1024) return 3;
    // Beside a block that stays.
    if (heap.allocate(100) == nullptr) return 4;
    void* block = heap.allocate(600 * 1024);
    if (block == nullptr) return 5;
    std::memset(block, 1, 600 * 1024);
    Heap other(segment, 1);
    if (other.allocate(600 * 1024) != nullptr) return 6;
    heap.free(block);
    block = heap.allocate(500 * 1024);
    if (block == nullptr) return 7;
    std::memset(block, 1, 500 * 1024);
    return 0;
  });
  const int status = testing::finish(child);
  if (status == kNotAllowed) {
    MESSAGE("not tried: this process may not mount");
  } else {
    CHECK(status == 0);
  }
}

TEST_CASE("a program that locks its memory does not lock what it never uses") {
  const Segment segment = make(2);
  const pid_t child = testing::start([&] {
    if (::mlockall(MCL_FUTURE) != 0) return kNotAllowed;
    Heap heap(segment, 0);
    void* block = heap.allocate(1000);
    std::byte* other = heap.at(1, 0, 8);
    return (block == nullptr || other == nullptr) || memory_of(segment) < 4 * kMiB ? 0 : 1;
  });
  const int status = testing::finish(child);
  if (status == kNotAllowed) {
    MESSAGE("not tried: this process may not lock memory");
  } else {
    CHECK(status == 0);
  }
}

}  // namespace
}  // namespace atl::shm
