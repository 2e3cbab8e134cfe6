#include "shm/segment.h"

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
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/testing/failed_check.h"
#include "shm/testing/child_process.h"

namespace atl::shm {
namespace {

using testing::Watchdog;

Segment make(const JobOptions& options) {
  auto result = Segment::create(options);
  if (auto* why = std::get_if<std::string>(&result)) FAIL(*why);
  return std::move(std::get<Segment>(result));
}

Segment join(const std::string& description) {
  auto result = Segment::attach(description.c_str());
  if (auto* why = std::get_if<std::string>(&result)) FAIL(*why);
  return std::move(std::get<Segment>(result));
}

std::string refusal(const std::string& description) {
  auto result = Segment::attach(description.c_str());
  REQUIRE(std::holds_alternative<std::string>(result));
  return std::get<std::string>(result);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Bytes of memory that the segment occupies now.
std::uint64_t memory_of(const Segment& segment) {
  struct stat facts {};
  REQUIRE(::fstat(segment.descriptor(), &facts) == 0);
  return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

// The header is mapped read-only.
void write_header(const Segment& segment, const JobHeader& header) {
  REQUIRE(::pwrite(segment.descriptor(), &header, sizeof header, 0) == sizeof header);
}

TEST_CASE("a new job") {
  const Segment segment = make({.size = 3, .flags = kJobSharedCores});
  const JobHeader& header = segment.header();
  CHECK(header.magic == kJobMagic);
  CHECK(header.layout_version == kLayoutVersion);
  CHECK((header.flags & kJobSharedCores) != 0);
  CHECK((segment.fence_mode() == FenceMode::asymmetric) == membarrier_works());
  CHECK(segment.size() == 3);
  CHECK(segment.capacity() == kMaxRanks);
  CHECK(segment.contexts().in_use() == kStandingContexts);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    CHECK(segment.slot(rank).location.core == -1);
    CHECK(segment.slot(rank).life.load_relaxed() == 0);
    for (std::uint32_t other = 0; other < 3; ++other) CHECK(segment.ring(rank, other) == nullptr);
  }
}

TEST_CASE("the parts follow each other without overlap, each on its page") {
  for (const std::uint32_t size : {1u, 8u, 128u, 1024u, 1500u}) {
    CAPTURE(size);
    const Segment segment = make({.size = size});
    const JobHeader& header = segment.header();
    const std::uint64_t capacity = header.capacity;
    CHECK(capacity == std::max(size, kMaxRanks));
    const std::uint64_t starts[] = {0,
                                    header.slots_offset,
                                    header.directory_offset,
                                    header.contexts_offset,
                                    header.rendezvous_offset,
                                    header.rings_offset,
                                    header.block_map_offset,
                                    header.blocks_offset};
    const std::uint64_t lengths[] = {sizeof(JobHeader),
                                     capacity * sizeof(RankSlot),
                                     capacity * capacity * 8,
                                     sizeof(ContextRegistry),
                                     capacity * sizeof(RendezvousChunks),
                                     std::uint64_t{size} * size * Ring::bytes(header.ring_payload),
                                     BlockMap::bytes(segment.block_map().units()),
                                     segment.block_map().units() * Segment::kBlockUnit};
    for (int i = 0; i < 8; ++i) {
      CAPTURE(i);
      CHECK(starts[i] % 4096 == 0);
      CHECK(starts[i] + lengths[i] <= (i < 7 ? starts[i + 1] : header.heaps_offset));
    }
    CHECK(segment.state().rings_next.load_relaxed() == header.rings_offset);
  }
}

TEST_CASE("rings are large where they are few") {
  const auto payload = [](std::uint32_t size) {
    return make({.size = size}).header().ring_payload;
  };
  CHECK(payload(1) == Ring::kMostPayload);
  CHECK(payload(16) == Ring::kMostPayload);
  CHECK(payload(17) == Ring::kMostPayload / 2);
  CHECK(payload(128) == Ring::kLeastPayload);
  for (std::uint64_t size = 2; size <= 32; ++size) {
    const std::uint64_t rings = size * (size - 1);
    CHECK(rings * payload(static_cast<std::uint32_t>(size)) <= 256u << 20);
  }
}

TEST_CASE("a job of many ranks costs little until they talk") {
  Segment segment = make({.size = 128});
  CHECK(segment.header().heaps_offset > 1ull << 30);
  // The rank slots, which contain the locations, and the other parts that create() initializes.
  CHECK(memory_of(segment) <= 128 * sizeof(RankSlot) + 64 * 1024);

  const std::uint64_t before = memory_of(segment);
  RingProducer producer(segment.make_ring(5, 6));
  for (std::uint32_t i = 0; i < Ring::kSlots; ++i) producer.publish(producer.claim());
  // The ring's slots, a page of the directory and the receiver's slot.
  CHECK(memory_of(segment) - before <= 5 * 4096);
}

TEST_CASE("address space is modest where ranks are few") {
  const auto bytes = [](std::uint32_t size) { return make({.size = size}).header().heaps_offset; };
  CHECK(bytes(1) < 512u << 20);
  CHECK(bytes(4) < 1024u << 20);
  CHECK(bytes(16) < 1536u << 20);
  CHECK(bytes(1024) < 256ull << 30);
}

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanLimit = false;
#else
constexpr bool kCanLimit = true;
#endif

// The limit cannot be raised again, so the test sets it in another process.
TEST_CASE("where address space is limited the segment is smaller") {
  if (!kCanLimit) return;
  const pid_t child = testing::start([] {
    const rlim_t limit = std::uint64_t{1} << 30;
    const rlimit both{limit, limit};
    if (::setrlimit(RLIMIT_AS, &both) != 0) return 77;
    const auto made = Segment::create({.size = 4});
    const auto* segment = std::get_if<Segment>(&made);
    return segment != nullptr && segment->header().heaps_offset < limit / 2 ? 0 : 1;
  });
  CHECK(testing::finish(child) == 0);
}

TEST_CASE("many ranks in little address space have rings for some pairs") {
  if (!kCanLimit) return;
  const pid_t child = testing::start([] {
    const rlim_t limit = std::uint64_t{4} << 30;
    const rlimit both{limit, limit};
    if (::setrlimit(RLIMIT_AS, &both) != 0) return 77;
    auto made = Segment::create({.size = 1024});
    auto* segment = std::get_if<Segment>(&made);
    if (segment == nullptr || segment->header().heaps_offset > limit / 8 * 5) return 1;
    for (std::uint32_t to = 0; to < segment->header().rings; ++to) {
      if (segment->make_ring(0, to % 1024) == nullptr) return 2;
    }
    return segment->make_ring(0, 0) == nullptr && segment->header().rings > 4 * 1024 ? 0 : 3;
  });
  CHECK(testing::finish(child) == 0);
}

TEST_CASE("the error for too little address space names the size") {
  if (!kCanLimit) return;
  const Segment segment = make({.size = 4});
  const std::string description = segment.description(segment.descriptor());
  const pid_t child = testing::start([&] {
    const rlimit limit{256u << 20, 256u << 20};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 77;
    const std::string why = refusal(description);
    const std::string bytes = std::to_string(segment.header().heaps_offset >> 20);
    return contains(why, "Cannot allocate memory (" + bytes + " MiB of address space)") ? 0 : 1;
  });
  CHECK(testing::finish(child) == 0);
}

TEST_CASE("there is memory for a ring for every pair, and an error when it is used up") {
  Segment segment = make({.size = 20});
  for (std::uint32_t from = 0; from < 20; ++from) {
    for (std::uint32_t to = 0; to < 20; ++to) REQUIRE(segment.make_ring(from, to) != nullptr);
  }
  for (int i = 0; i < 3; ++i) CHECK(segment.make_ring(20, 0) == nullptr);
  CHECK(segment.ring(20, 0) == nullptr);
  CHECK(segment.ring(19, 19)->sender() == 19);
}

TEST_CASE("a collective buffer belongs to its context and is found by its members") {
  Segment segment = make({.size = 4});
  const ContextId id = segment.contexts().take(2).value();
  bool none = true;
  CHECK(segment.collective_buffer(id, 2, none) == nullptr);
  CHECK_FALSE(none);
  segment.make_collective_buffer(id, 2, 8192);
  CollectiveBuffer* buffer = segment.collective_buffer(id, 2, none);
  REQUIRE(buffer != nullptr);
  CHECK_FALSE(none);
  CHECK(buffer->capacity() == 2);
  CHECK(buffer->slot_bytes() == 8192);

  // The slots do not overlap, and each has one line more.
  std::set<std::byte*> slots;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (std::uint64_t round = 0; round < CollectiveBuffer::kSlots; ++round) {
      slots.insert(buffer->slot(rank, round));
      std::memset(buffer->slot(rank, round), 1, 8192 + kCacheLine);
      CHECK(buffer->slot(rank, round) == buffer->slot(rank, round + CollectiveBuffer::kSlots));
    }
  }
  CHECK(slots.size() == 2 * CollectiveBuffer::kSlots);
  for (auto one = slots.begin(), next = std::next(one); next != slots.end(); ++one, ++next) {
    CHECK(*next - *one >= 8192 + static_cast<std::ptrdiff_t>(kCacheLine));
  }
  CHECK(buffer->entry(0, 3).published.load_relaxed() == 0);  // slots are not entries
}

TEST_CASE("overwritten offsets fail a check before they are used") {
  const atl::testing::ThrowsFailedChecks throws;
  Segment segment = make({.size = 4});
  const ContextId id = segment.contexts().take(2).value();
  segment.make_collective_buffer(id, 2, 8192);
  bool none = false;
  CollectiveBuffer* buffer = segment.collective_buffer(id, 2, none);
  REQUIRE(buffer != nullptr);
  const std::uint64_t offset = segment.contexts().buffer(id).load_relaxed();
  for (const std::uint64_t wild :
       {offset + 64, offset - 4096, segment.header().heaps_offset, ~std::uint64_t{0},
        std::uint64_t{64}, segment.header().heaps_offset - 64}) {
    CAPTURE(wild);
    segment.contexts().buffer(id).store_relaxed(wild);
    CHECK_THROWS_AS(segment.collective_buffer(id, 2, none), atl::testing::FailedCheck);
  }
  segment.contexts().buffer(id).store_relaxed(offset);
  CHECK(segment.collective_buffer(id, 2, none) == buffer);
  CHECK_THROWS_AS(segment.collective_buffer(id, 3, none), atl::testing::FailedCheck);
  buffer->construct(2, 0xffffff00);
  CHECK_THROWS_AS(segment.collective_buffer(id, 2, none), atl::testing::FailedCheck);
}

TEST_CASE("a ring belongs to the two ranks that ask for it") {
  const atl::testing::ThrowsFailedChecks throws;
  Segment segment = make({.size = 3});
  Ring* const ring = segment.make_ring(0, 1);
  Ring* const other = segment.make_ring(2, 1);
  REQUIRE((ring != nullptr && other != nullptr));
  CHECK(segment.ring(0, 1) == ring);
  // Another rank has overwritten sender and receiver.
  const std::uint32_t wild = 7;
  std::memcpy(static_cast<void*>(ring), &wild, sizeof wild);  // its sender
  CHECK_THROWS_AS(segment.ring(0, 1), atl::testing::FailedCheck);
  CHECK(segment.ring(2, 1) == other);
  std::memcpy(reinterpret_cast<std::byte*>(other) + sizeof wild, &wild, sizeof wild);
  CHECK_THROWS_AS(segment.ring(2, 1), atl::testing::FailedCheck);
}

TEST_CASE("two pairs never get the same ring") {
  const atl::testing::ThrowsFailedChecks throws;
  Segment segment = make({.size = 3});
  const std::uint64_t first = segment.state().rings_next.load_relaxed();
  REQUIRE(segment.make_ring(0, 1) != nullptr);
  segment.state().rings_next.store_relaxed(first);  // overwritten
  CHECK_THROWS_AS(segment.make_ring(1, 2), atl::testing::FailedCheck);
}

TEST_CASE("a block map with an overwritten size fails a check") {
  const atl::testing::ThrowsFailedChecks throws;
  Segment segment = make({.size = 2});
  const ContextId id = segment.contexts().take(2).value();
  const std::uint32_t units = segment.block_map().units();
  for (const std::uint32_t wild : {0u, units + 1, ~0u}) {
    segment.block_map().construct(wild);
    CHECK_THROWS_AS(segment.make_collective_buffer(id, 2, 8192), atl::testing::FailedCheck);
    CHECK_THROWS_AS(segment.make_rendezvous(0, 0), atl::testing::FailedCheck);
  }
  segment.block_map().construct(units);
  CHECK(segment.make_rendezvous(0, 0));
}

// Writes what members write in so many rounds with that much data.
void use(CollectiveBuffer& buffer, std::uint64_t rounds, std::size_t bytes) {
  for (std::uint32_t rank = 0; rank < buffer.capacity(); ++rank) {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      Entry& entry = buffer.entry(rank, round);
      std::memset(entry.data, 1, Entry::kBytes);
      entry.published.store_relaxed(round + 1);
      if (bytes != 0) std::memset(buffer.slot(rank, round), 1, bytes);
    }
    buffer.member(rank).released.store_relaxed(rounds);
    buffer.member(rank).written.store_relaxed(bytes);
  }
  buffer.arrivals(5).store_relaxed(2);
  buffer.space_wanted().store_relaxed(1);
  buffer.mismatch().claims.store_relaxed(1);
  std::memset(buffer.mismatch().text, 1, sizeof buffer.mismatch().text);
}

bool all_zero(const void* memory, std::size_t bytes) {
  const auto* at = static_cast<const char*>(memory);
  return std::all_of(at, at + bytes, [](char byte) { return byte == 0; });
}

TEST_CASE(
    "a collective buffer is given back all zero, by the last member who releases its context") {
  for (const std::size_t bytes : {0, 500, 8192 + 64}) {
    CAPTURE(bytes);
    Segment segment = make({.size = 4});
    const ContextId id = segment.contexts().take(2).value();
    segment.make_collective_buffer(id, 2, 8192);
    bool none = false;
    CollectiveBuffer* buffer = segment.collective_buffer(id, 2, none);
    REQUIRE(buffer != nullptr);
    use(*buffer, 20, bytes);
    segment.release_context(id);
    CHECK(buffer->entry(1, 7).published.load_relaxed() != 0);  // one member still uses the buffer
    CHECK(segment.block_map().in_use() != 0);
    const std::size_t length = buffer->footprint();
    segment.release_context(id);
    CHECK(segment.block_map().in_use() == 0);
    CHECK(all_zero(buffer, length));

    // The next communicator has no buffer before it makes one, perhaps of another size.
    const ContextId next = segment.contexts().take(3).value();
    REQUIRE(ContextRegistry::number(next) == ContextRegistry::number(id));
    CHECK(segment.collective_buffer(next, 3, none) == nullptr);
    CHECK_FALSE(none);
    segment.make_collective_buffer(next, 3, 4096);
    CHECK(segment.collective_buffer(next, 3, none) == buffer);
    for (int member = 0; member < 3; ++member) segment.release_context(next);
    CHECK(segment.block_map().in_use() == 0);
  }
}

TEST_CASE("memory depends on the collective buffers in use, not on earlier ones") {
  Segment segment = make({.size = 4});
  const auto make_and_use = [&](std::size_t bytes) {
    const ContextId id = segment.contexts().take(1).value();
    segment.make_collective_buffer(id, 2, 64 * 1024);
    bool none = false;
    CollectiveBuffer* buffer = segment.collective_buffer(id, 2, none);
    REQUIRE(buffer != nullptr);
    use(*buffer, 8, bytes);
    return id;
  };
  const auto peak = [&](std::size_t bytes) {
    std::vector<ContextId> ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(make_and_use(bytes));
    const std::uint64_t most = memory_of(segment);
    for (const ContextId id : ids) segment.release_context(id);
    CHECK(segment.block_map().in_use() == 0);
    return most;
  };
  // 8 slots of each, of 10,000 bytes.
  CHECK(peak(10000) > 1000 * 80000);
  CHECK(memory_of(segment) < 4u << 20);
  // Entries alone: pages at low offsets are not returned to the system.
  CHECK(peak(0) > 1000 * 4096);
  CHECK(memory_of(segment) < 8u << 20);
  // One after the other: always the same memory.
  const std::uint64_t before = memory_of(segment);
  for (int i = 0; i < 2000; ++i) segment.release_context(make_and_use(i % 3 == 0 ? 10000 : 0));
  CHECK(memory_of(segment) <= before + 1024 * 1024);
}

TEST_CASE("a context without memory for a collective buffer has none, and only that one") {
  Segment segment = make({.size = 2});
  const std::uint64_t all = segment.block_map().units() * Segment::kBlockUnit;
  bool none = false;
  const auto make_buffer = [&](std::uint32_t slot_bytes, std::uint64_t limit) {
    const ContextId id = segment.contexts().take(1).value();
    segment.make_collective_buffer(id, 2, slot_bytes, limit);
    CHECK((segment.collective_buffer(id, 2, none) == nullptr) == none);
    return id;
  };
  const ContextId first = make_buffer(static_cast<std::uint32_t>(all / 8), all);
  CHECK(none);
  const ContextId limited = make_buffer(8192, 8 * 8192);
  CHECK(none);
  const ContextId second = make_buffer(8192, all);
  CHECK_FALSE(none);
  // A number whose context had no buffer can have one the next time.
  segment.release_context(first);
  const ContextId third = make_buffer(8192, all);
  CHECK(ContextRegistry::number(third) == ContextRegistry::number(first));
  CHECK_FALSE(none);
  for (const ContextId id : {limited, second, third}) segment.release_context(id);
  CHECK(segment.block_map().in_use() == 0);
  CHECK(segment.contexts().in_use() == kStandingContexts);
}

TEST_CASE("collective buffers take no memory from rings") {
  Segment segment = make({.size = 2});
  bool none = false;
  while (!none) {
    const ContextId id = segment.contexts().take(1).value();
    segment.make_collective_buffer(id, 2, 4u << 20);
    segment.collective_buffer(id, 2, none);
  }
  for (std::uint32_t pair = 0; pair < 4; ++pair) {
    CHECK(segment.make_ring(pair / 2, pair % 2) != nullptr);
  }
}

TEST_CASE("a segment that is not as large or as safe as it says is refused") {
  const Segment segment = make({.size = 1});
  JobHeader header = segment.header();
  CHECK(::ftruncate(segment.descriptor(), 4096) != 0);
  CHECK(::ftruncate(segment.descriptor(), static_cast<off_t>(header.file_bytes + 4096)) != 0);
  CHECK((header.flags & kJobSealed) != 0);
  const auto why = [&] { return refusal(segment.description(::dup(segment.descriptor()))); };
  header.file_bytes += 4096;
  write_header(segment, header);
  CHECK(contains(why(), "bytes of " + std::to_string(header.file_bytes)));
  header.file_bytes -= 4096;

  // A copy in a file that can be truncated.
  const int other = ::memfd_create("other", MFD_CLOEXEC);
  REQUIRE(::ftruncate(other, static_cast<off_t>(header.file_bytes)) == 0);
  REQUIRE(::pwrite(other, &header, sizeof header, 0) == sizeof header);
  CHECK(contains(refusal(segment.description(other)), "is not sealed any more"));
}

TEST_CASE("the segment has no name, is closed by exec, and stays out of core dumps") {
  const Segment segment = make({.size = 1});
  CHECK((::fcntl(segment.descriptor(), F_GETFD) & FD_CLOEXEC) != 0);
  struct stat facts {};
  REQUIRE(::fstat(segment.descriptor(), &facts) == 0);
  CHECK(facts.st_nlink == 0);

  std::ifstream maps("/proc/self/smaps");
  bool in_segment = false;
  bool excluded = false;
  for (std::string line; std::getline(maps, line);) {
    if (contains(line, "memfd:atoll-job")) in_segment = true;
    if (in_segment && line.rfind("VmFlags:", 0) == 0) {
      excluded = contains(line + " ", " dd ");
      break;
    }
  }
  CHECK(in_segment);
  CHECK(excluded);
}

TEST_CASE("a child joins by the inherited descriptor, or through the launcher when it is closed") {
  for (const bool closed : {false, true}) {
    CAPTURE(closed);
    Watchdog watchdog("a child joins");
    const Segment segment = make({.size = 2});
    const std::string description = segment.description(segment.descriptor());
    segment.slot(0).pid.store_relaxed(77);
    const pid_t child = testing::start([&] {
      if (closed) ::close(segment.descriptor());
      const Segment joined = join(description);
      if (joined.slot(0).pid.load_relaxed() != 77) return 1;
      if ((::fcntl(joined.descriptor(), F_GETFD) & FD_CLOEXEC) == 0) return 2;
      joined.slot(1).pid.store_relaxed(78);
      return 0;
    });
    CHECK(testing::finish(child) == 0);
    CHECK(segment.slot(1).pid.load_relaxed() == 78);
  }
}

TEST_CASE("a description that is not of this job is refused by name") {
  const Segment segment = make({.size = 1});
  const std::string description = segment.description(segment.descriptor());
  SUBCASE("no description") {
    CHECK(refusal("nonsense") == "ATOLL_JOB='nonsense' is not of the form FD:PID:NONCE");
  }
  SUBCASE("another job's nonce") {
    const std::string why = refusal(description + "0");
    CHECK(contains(why, "/proc/" + std::to_string(::getpid()) + "/fd/"));
    CHECK(contains(why, "named by ATOLL_JOB, is not the segment of this job"));
  }
  SUBCASE("a descriptor that is open for something else") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    CHECK(contains(refusal(segment.description(ends[0])), "is not the segment of this job"));
    ::close(ends[0]);
    ::close(ends[1]);
  }
  SUBCASE("a launcher that is gone") {
    const pid_t gone = testing::start([] { return 0; });
    CHECK(testing::finish(gone) == 0);
    const std::string why = refusal("999:" + std::to_string(gone) + ":1");
    CHECK(contains(why, "/fd/999, named by ATOLL_JOB: No such file or directory"));
  }
}

TEST_CASE("a segment of another version is refused with both versions") {
  const Segment segment = make({.size = 1});
  JobHeader other = segment.header();
  other.layout_version = kLayoutVersion + 7;
  write_header(segment, other);
  // attach() closes a descriptor that it refuses, so it gets its own.
  const int copy = ::dup(segment.descriptor());
  const std::string why = refusal(segment.description(copy));
  CHECK(contains(why, "layout " + std::to_string(kLayoutVersion + 7)));
  CHECK(contains(why, "this one " + std::to_string(kLayoutVersion)));
  CHECK(::fcntl(copy, F_GETFD) == -1);
}

TEST_CASE("a segment whose header is damaged is refused") {
  const Segment segment = make({.size = 4});
  const JobHeader header = segment.header();
  const auto refuses = [&](const JobHeader& damaged) {
    write_header(segment, damaged);
    const std::string why = refusal(segment.description(::dup(segment.descriptor())));
    return contains(why, "header of the job segment is damaged");
  };
  for (const auto offset :
       {&JobHeader::state_offset, &JobHeader::slots_offset, &JobHeader::directory_offset,
        &JobHeader::contexts_offset, &JobHeader::rendezvous_offset, &JobHeader::reports_offset,
        &JobHeader::crashes_offset, &JobHeader::rings_offset, &JobHeader::block_map_offset,
        &JobHeader::blocks_offset, &JobHeader::heaps_offset, &JobHeader::heap_bytes}) {
    for (const std::uint64_t value : {std::uint64_t{0}, header.*offset + 64, ~std::uint64_t{0}}) {
      JobHeader damaged = header;
      damaged.*offset = value;
      CHECK(refuses(damaged));
    }
  }
  for (const auto number :
       {&JobHeader::size, &JobHeader::capacity, &JobHeader::ring_payload, &JobHeader::rings}) {
    for (const std::uint32_t value : {0u, header.*number * 64, ~0u}) {
      JobHeader damaged = header;
      damaged.*number = value;
      CHECK(refuses(damaged));
    }
  }
}

TEST_CASE("ranks find the rings that others make, in order with the count") {
  Watchdog watchdog("ranks find the rings");
  constexpr std::uint32_t kRanks = 6;
  Segment segment = make({.size = kRanks});
  const auto rank = [&](std::uint32_t me) {
    for (std::uint32_t to = 0; to < kRanks; ++to) {
      RingProducer producer(segment.make_ring(me, to));
      Slot* slot = producer.claim();
      std::memcpy(slot->bytes, &me, sizeof me);
      producer.publish(slot);
    }
    bool met[kRanks] = {};
    std::uint32_t missing = kRanks;
    while (missing != 0) {
      // Pairs with the fetch_add in make_ring(): every ring that was counted is in the directory.
      const std::uint32_t counted = segment.slot(me).inbound_rings.load_acquire();
      std::uint32_t found = 0;
      for (std::uint32_t from = 0; from < kRanks; ++from) {
        Ring* ring = segment.ring(from, me);
        if (ring == nullptr) continue;
        ++found;
        if (ring->sender() != from || ring->receiver() != me) return 1;
        const Slot* slot = RingConsumer(ring).peek();
        if (slot == nullptr || met[from]) continue;
        if (std::memcmp(slot->bytes, &from, sizeof from) != 0) return 2;
        met[from] = true;
        --missing;
      }
      if (found < counted) return 3;
      ::sched_yield();
    }
    return 0;
  };
  std::vector<pid_t> ranks;
  for (std::uint32_t me = 0; me < kRanks; ++me) {
    ranks.push_back(testing::start([&, me] { return rank(me); }));
  }
  for (const pid_t process : ranks) CHECK(testing::finish(process) == 0);
}

// Mounts a /dev/shm of 1 MiB for this process. False where the system does not permit that.
bool shrink_dev_shm() {
  if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return ::mount("none", "/dev/shm", "tmpfs", 0, "size=1m") == 0;
}

TEST_CASE("a /dev/shm of 1 MiB is no limit") {
  constexpr int kNotAllowed = 77;
  const pid_t child = testing::start([] {
    if (!shrink_dev_shm()) return kNotAllowed;
    Segment segment = make({.size = 64});
    for (std::uint32_t to = 0; to < 64; ++to) {
      RingProducer producer(segment.make_ring(0, to));
      std::memset(producer.payload(0), 1, Ring::kLeastPayload);
    }
    return memory_of(segment) > 64 * Ring::kLeastPayload ? 0 : 1;
  });
  const int status = testing::finish(child);
  if (status == kNotAllowed) {
    MESSAGE("not tried: this process may not mount");
  } else {
    CHECK(status == 0);
  }
}

}  // namespace
}  // namespace atl::shm
