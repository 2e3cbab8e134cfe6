#include "shm/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace atl::shm {
namespace {

constexpr std::size_t kPage = 4096;
// Bytes of address space for the arenas of communicators, besides what rings leave.
constexpr std::uint64_t kForArenas = 1ull << 32;

std::string system_error(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

// Large rings are faster: what the sender writes is not in the receiver's cache any
// more. All that the first world may make take at most so many bytes, or are small.
std::uint32_t ring_payload(std::uint64_t ranks) {
  constexpr std::uint64_t kAllRings = std::uint64_t{256} << 20;
  std::uint32_t payload = Ring::kMostPayload;
  while (payload > Ring::kLeastPayload && ranks * (ranks - 1) * payload > kAllRings) payload /= 2;
  return payload;
}

// Offsets of the parts, from header.size and header.capacity; header.bytes is the end.
void lay_out(JobHeader& header) {
  std::uint64_t next = sizeof(JobHeader);
  const auto place = [&next](std::uint64_t bytes) {
    const std::uint64_t start = round_up(next, kPage);
    next = start + bytes;
    return start;
  };
  const std::uint64_t slots = header.capacity;
  header.slots_offset = place(slots * sizeof(RankSlot));
  header.directory_offset = place(slots * slots * sizeof(std::uint64_t));
  header.contexts_offset = place(sizeof(ContextRegistry));
  header.transfers_offset = place(slots * sizeof(TransferChunks));
  header.reports_offset = place(slots * sizeof(WaitReport));
  header.crashes_offset = place(slots * sizeof(CrashRecord));
  header.arenas_offset = place(ContextRegistry::kContexts * sizeof(std::uint64_t));
  // Room for a ring for every pair of the first world, and as much again for
  // what is spawned later and for arenas: address space, not memory.
  const std::uint64_t pairs = std::max<std::uint64_t>(std::uint64_t{header.size} * header.size, 64);
  header.ring_payload = ring_payload(header.size);
  const std::uint64_t ring = round_up(Ring::bytes(header.ring_payload), kPage);
  header.free_offset = place(2 * pairs * ring + kForArenas);
  header.bytes = round_up(next, kPage);
}

// True when `descriptor` is a job segment; the second, when it has this nonce.
bool is_job(int descriptor, JobHeader& header) {
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::pread(descriptor, &header, sizeof header, 0) == sizeof header &&
         header.magic == kJobMagic;
}

bool is_job(int descriptor, std::uint64_t nonce, JobHeader& header) {
  return is_job(descriptor, header) && header.nonce == nonce;
}

std::byte* map(int descriptor, std::size_t bytes) {
  void* base =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (base == MAP_FAILED) return nullptr;
  // A core dump would read, and so allocate, every page of the sparse segment.
  ::madvise(base, bytes, MADV_DONTDUMP);
  return static_cast<std::byte*>(base);
}

std::uint64_t make_nonce() {
  std::uint64_t nonce = 0;
  if (::getrandom(&nonce, sizeof nonce, 0) == sizeof nonce) return nonce;
  return static_cast<std::uint64_t>(::getpid());
}

// The parts whose initial state is not zero; the launcher overwrites placements it knows.
void initialize(const Segment& segment) {
  // The ids that every rank knows without being told; never given back.
  for (std::uint32_t i = 0; i < kStandingContexts; ++i) segment.contexts().take(segment.capacity());
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) segment.slot(rank).placement = {};
}

}  // namespace

std::variant<Segment, std::string> Segment::create(const JobOptions& options) {
  const int descriptor = ::memfd_create("atoll-job", MFD_CLOEXEC);
  if (descriptor < 0) return system_error("memfd_create");
  JobHeader header{};
  header.magic = kJobMagic;
  header.layout_version = kLayoutVersion;
  header.flags = options.flags | (membarrier_works() ? kJobAsymmetricFence : 0);
  header.nonce = make_nonce();
  header.size = options.size;
  header.cpus = options.cpus;
  header.launcher = options.launcher;
  header.capacity = options.capacity != 0 ? options.capacity : std::max(kMaxRanks, options.size);
  lay_out(header);
  header.free_next.store_relaxed(header.free_offset);  // before any fork
  std::byte* base = nullptr;
  if (::ftruncate(descriptor, static_cast<off_t>(header.bytes)) != 0 ||
      ::pwrite(descriptor, &header, sizeof header, 0) != sizeof header ||
      (base = map(descriptor, header.bytes)) == nullptr) {
    std::string why = system_error("job segment");
    ::close(descriptor);
    return why;
  }
  Segment segment(base, header.bytes, descriptor);
  initialize(segment);
  return segment;
}

std::variant<Segment, std::string> Segment::attach(const char* description) {
  int inherited = -1;
  int launcher = -1;
  unsigned long long nonce = 0;
  if (std::sscanf(description, "%d:%d:%llx", &inherited, &launcher, &nonce) != 3) {
    return std::string(kJobVariable) + "='" + description + "' is not of the form FD:PID:NONCE";
  }
  JobHeader header{};
  int descriptor = inherited;
  if (!is_job(descriptor, nonce, header)) {
    // A program between mpiexec and this one closed the descriptor.
    const std::string path =
        "/proc/" + std::to_string(launcher) + "/fd/" + std::to_string(inherited);
    descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return system_error((path + ", named by " + kJobVariable).c_str());
    if (!is_job(descriptor, nonce, header)) {
      ::close(descriptor);
      return path + ", named by " + kJobVariable + ", is not the segment of this job";
    }
  }
  return map_job(descriptor, header);
}

std::variant<Segment, std::string> Segment::observe(const char* path) {
  JobHeader header{};
  const int descriptor = ::open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return system_error(path);
  if (!is_job(descriptor, header)) {
    ::close(descriptor);
    return std::string(path) + " is not the segment of a job";
  }
  return map_job(descriptor, header);
}

// Takes over the descriptor.
std::variant<Segment, std::string> Segment::map_job(int descriptor, const JobHeader& header) {
  if (header.layout_version != kLayoutVersion) {
    ::close(descriptor);
    return "mpiexec uses segment layout " + std::to_string(header.layout_version) + ", this one " +
           std::to_string(kLayoutVersion) + ": they are of different versions";
  }
  std::byte* base = map(descriptor, header.bytes);
  if (base == nullptr) {
    std::string why = system_error("mapping the job segment");
    ::close(descriptor);
    return why;
  }
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return Segment(base, header.bytes, descriptor);
}

Segment::Segment(Segment&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Segment::~Segment() {
  if (base_ != nullptr) ::munmap(base_, bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string Segment::description(int descriptor) const {
  char text[80];
  std::snprintf(text, sizeof text, "%d:%d:%llx", descriptor, static_cast<int>(::getpid()),
                static_cast<unsigned long long>(header().nonce));
  return text;
}

Ring* Segment::ring(std::uint32_t sender, std::uint32_t receiver) const {
  // Pairs with the store in make_ring: the ring is constructed.
  const std::uint64_t offset = directory(sender, receiver).load_acquire();
  return offset == 0 ? nullptr : at<Ring>(offset);
}

std::uint64_t Segment::take_memory(std::uint64_t bytes) {
  const std::uint64_t pages = round_up(bytes, kPage);
  // Relaxed: the number alone matters, the memory behind it is untouched.
  const std::uint64_t offset = header().free_next.fetch_add_relaxed(pages);
  return offset + pages <= header().bytes ? offset : 0;
}

bool Segment::make_transfer(std::uint32_t rank, std::uint32_t index) {
  if (index >= TransferChunks::kRecords) return false;
  const std::uint32_t chunk = TransferChunks::chunk_of(index);
  if (index != TransferChunks::begin_of(chunk)) return true;
  const std::uint64_t offset = take_memory(TransferChunks::length_of(chunk) * sizeof(Transfer));
  // Relaxed: see transfer().
  if (offset != 0) transfer_chunks(rank).offsets[chunk].store_relaxed(offset);
  return offset != 0;
}

Ring* Segment::make_ring(std::uint32_t sender, std::uint32_t receiver) {
  const std::uint64_t offset = take_memory(Ring::bytes(header().ring_payload));
  if (offset == 0) return nullptr;
  Ring* ring = at<Ring>(offset);
  ring->construct(sender, receiver, header().ring_payload);
  // Pairs with ring(): construction before the offset.
  directory(sender, receiver).store_release(offset);
  // Pairs with the receiver's load before its scan: the row before the count.
  slot(receiver).inbound_rings.fetch_add_acq_rel(1);
  return ring;
}

Arena* Segment::arena(ContextId context, std::uint32_t members, bool& none) const {
  // Pairs with the store in make_arena: the arena is constructed.
  const std::uint64_t offset = arena_of(context).load_acquire();
  none = offset == kNoArena;
  if (none || offset == 0) return nullptr;
  Arena* arena = at<Arena>(offset);
  return arena->capacity() >= members ? arena : nullptr;  // one of a smaller communicator before
}

void Segment::make_arena(ContextId context, std::uint32_t members, std::uint32_t cell_bytes) {
  // Powers of two, so that the next communicator of this context finds it fitting.
  const std::uint32_t capacity = std::bit_ceil(members);
  const std::uint64_t offset = take_memory(Arena::footprint(capacity, cell_bytes));
  if (offset != 0) at<Arena>(offset)->construct(capacity, cell_bytes);
  // Pairs with arena(): construction before the offset.
  arena_of(context).store_release(offset != 0 ? offset : kNoArena);
}

void Segment::release_context(ContextId context) {
  if (!contexts().release(context)) return;
  // Relaxed: the members who may have made it have all released.
  const std::uint64_t offset = arena_of(context).load_relaxed();
  if (offset > kNoArena) at<Arena>(offset)->clear();
  contexts().free(context);
}

}  // namespace atl::shm
