#include "shm/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <boost/interprocess/exceptions.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "shm/file_range.h"
#include "shm/memory_limits.h"

namespace atl::shm {
namespace {

std::string system_error(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

// Bytes of payload per ring. Large rings are faster, because the memory that the sender writes is
// no longer in the receiver's cache. The payload is halved until that of all rings of the first
// world fits into kAllRings bytes or is kLeastPayload per ring.
std::uint32_t ring_payload(std::uint64_t ranks) {
  constexpr std::uint64_t kAllRings = std::uint64_t{256} << 20;
  std::uint32_t payload = Ring::kMostPayload;
  while (payload > Ring::kLeastPayload && ranks * (ranks - 1) * payload > kAllRings) payload /= 2;
  return payload;
}

std::uint64_t ring_bytes(const JobHeader& header) {
  return round_up(Ring::bytes(header.ring_payload), kPage);
}

// Number of pairs of the first world, or 64 if that is more, so that ranks that small jobs spawn
// later get rings.
std::uint32_t pairs_of(const JobHeader& header) {
  const std::uint64_t pairs = std::uint64_t{header.size} * header.size;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(pairs, 64, std::numeric_limits<std::uint32_t>::max()));
}

// Number of rings: one for each pair, unless these need more than a quarter of a limit of the
// address space (ulimit -v).
std::uint32_t rings_for(const JobHeader& header) {
  const std::uint64_t most = address_space_limit() / 4 / ring_bytes(header);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, pairs_of(header)));
}

// Bytes of address space for collective buffers: enough for thousands of communicators of a few
// ranks, or hundreds of communicators of all ranks. At most a quarter of a limit of the address
// space (ulimit -v).
std::uint64_t bytes_of_blocks(std::uint64_t ranks) {
  constexpr std::uint64_t kAlone = std::uint64_t{128} << 20;  // the rank may spawn others
  constexpr std::uint64_t kLeast = std::uint64_t{768} << 20;
  constexpr std::uint64_t kPerRank = std::uint64_t{32} << 20;
  const std::uint64_t usual = ranks == 1 ? kAlone : std::max(kLeast, ranks * kPerRank);
  return std::min(usual, address_space_limit() / 4);
}

// Bytes of each heap: what the whole machine has. Ranks must be able to map those of all ranks of
// the first world, of the 128 TiB of a process. Of a limit of the address space (ulimit -v) an
// eighth, since a rank maps its whole heap, and what it needs of others.
std::uint64_t bytes_of_heap(std::uint64_t ranks) {
  constexpr std::uint64_t kAllHeaps = std::uint64_t{16} << 40;
  std::uint64_t bytes = std::max(std::bit_ceil(physical_memory()), kHugePage);
  while (ranks * bytes >= kAllHeaps) bytes /= 2;
  return std::max(std::min(bytes, address_space_limit() / 8) / kHugePage * kHugePage, kHugePage);
}

std::uint32_t units_for(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + Segment::kBlockUnit - 1) / Segment::kBlockUnit);
}

// A collective buffer that lies in the first kKeptPart bytes of its part, and of whose slots at
// most kKeptOfSlots bytes were written, keeps its pages when it is given back, for the next buffer
// there. Frequent creation of communicators therefore costs no system call.
constexpr std::uint64_t kKeptPart = std::uint64_t{256} << 20;
constexpr std::size_t kKeptOfSlots = 16 * 1024;

// Computes the offsets of the parts from header.size, header.capacity and header.rings, with
// `block_bytes` bytes for collective buffers and `heap_bytes` bytes for each heap.
void lay_out(JobHeader& header, std::uint64_t block_bytes, std::uint64_t heap_bytes) {
  std::uint64_t next = sizeof(JobHeader);
  const auto place = [&next](std::uint64_t bytes) {
    const std::uint64_t start = round_up(next, kPage);
    next = start + bytes;
    return start;
  };
  static_assert(sizeof(JobHeader) <= kPage);
  header.state_offset = place(sizeof(JobState));
  const std::uint64_t slots = header.capacity;
  header.slots_offset = place(slots * sizeof(RankSlot));
  header.directory_offset = place(slots * slots * sizeof(std::uint64_t));
  header.contexts_offset = place(sizeof(ContextRegistry));
  header.rendezvous_offset = place(slots * sizeof(RendezvousChunks));
  header.reports_offset = place(slots * sizeof(WaitReport));
  header.crashes_offset = place(slots * sizeof(CrashRecord));
  // This uses address space; untouched pages cost no memory.
  header.rings_offset = place(header.rings * ring_bytes(header));
  const std::uint64_t blocks = block_bytes / kHugePage * kHugePage / Segment::kBlockUnit;
  header.block_map_offset = place(BlockMap::bytes(static_cast<std::uint32_t>(blocks)));
  // So that heaps_offset, which is aligned as well, says exactly how many blocks there are.
  next = round_up(next, kHugePage);
  header.blocks_offset = place(blocks * Segment::kBlockUnit);
  header.heaps_offset = round_up(next, kHugePage);
  header.heap_bytes = heap_bytes;
  header.file_bytes = header.heaps_offset + slots * heap_bytes;
}

// Makes the heaps so short that the file stays within the limit of a file (ulimit -f).
void shorten_heaps(JobHeader& header) {
  const std::uint64_t limit = std::max(file_size_limit(), header.heaps_offset);
  header.heap_bytes = (limit - header.heaps_offset) / header.capacity / kHugePage * kHugePage;
  header.file_bytes = header.heaps_offset + header.capacity * header.heap_bytes;
}

// Whether the offsets in the header are those that create() computes.
bool is_laid_out(const JobHeader& header) {
  // So that no sum or product below overflows.
  constexpr std::uint32_t kMostSlots = 1u << 16;
  constexpr std::uint64_t kMostHeap = std::uint64_t{1} << 44;
  if (header.size == 0 || header.size > header.capacity || header.capacity > kMostSlots ||
      header.blocks_offset > header.heaps_offset || header.heaps_offset > header.file_bytes ||
      header.ring_payload != ring_payload(header.size) || header.rings > pairs_of(header) ||
      header.heap_bytes > kMostHeap || header.heap_bytes % kHugePage != 0) {
    return false;
  }
  JobHeader same = header;
  lay_out(same, header.heaps_offset - header.blocks_offset, header.heap_bytes);
  return same == header;
}

// Opens a memfd. Where memfds are refused, for example by the rules of a container, opens an
// unnamed file in /dev/shm, whose mount limits the size. Returns -1 and sets `why` if both fail.
int make_file(std::string& why) {
  int descriptor = ::memfd_create("atoll-job", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor >= 0) return descriptor;
  why = system_error("memfd_create");
  descriptor = ::open("/dev/shm", O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    why += "; " + system_error("/dev/shm");
    return -1;
  }
  constexpr std::uint64_t kLeast = std::uint64_t{16} << 20;  // more than small jobs touch
  struct statvfs facts {};
  if (::fstatvfs(descriptor, &facts) == 0 && facts.f_blocks != 0 &&
      std::uint64_t{facts.f_bavail} * facts.f_frsize < kLeast) {
    why += "; /dev/shm has less than 16 MiB left";
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

// Seals the file, so that no process can truncate it. Otherwise a rank that touched a page beyond
// the end would die of SIGBUS.
bool seal(int descriptor) {
  return ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}
bool is_sealed(int descriptor) {
  const int seals = ::fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

// Says why the segment is smaller than its header says, not sealed, or damaged. Empty: it is valid.
std::string fault_of(int descriptor, const JobHeader& header) {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0) return system_error("job segment");
  if (facts.st_size < 0 || static_cast<std::uint64_t>(facts.st_size) < header.file_bytes) {
    return "the job segment has " + std::to_string(facts.st_size) + " bytes of " +
           std::to_string(header.file_bytes);
  }
  if (!is_laid_out(header)) return "the header of the job segment is damaged";
  if ((header.flags & kJobSealed) != 0 && !is_sealed(descriptor)) {
    return "the job segment is not sealed any more";
  }
  return {};
}

// Whether `descriptor` is a job segment. The second overload also requires this nonce.
bool is_job(int descriptor, JobHeader& header) {
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::pread(descriptor, &header, sizeof header, 0) == sizeof header &&
         header.magic == kJobMagic;
}

bool is_job(int descriptor, std::uint64_t nonce, JobHeader& header) {
  return is_job(descriptor, header) && header.nonce == nonce;
}

std::uint64_t make_nonce() {
  std::uint64_t nonce = 0;
  if (::getrandom(&nonce, sizeof nonce, 0) == sizeof nonce) return nonce;
  return static_cast<std::uint64_t>(::getpid());
}

// Initializes the parts whose initial state is not zero. The launcher overwrites the locations of
// ranks whose placement it knows.
void initialize(const Segment& segment) {
  // The ids that every rank knows without a message; never released.
  for (std::uint32_t i = 0; i < kStandingContexts; ++i) segment.contexts().take(segment.capacity());
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) segment.slot(rank).location = {};
  const JobHeader& header = segment.header();
  segment.state().rings_next.store_relaxed(header.rings_offset);  // Relaxed: before any fork.
  segment.block_map().construct(static_cast<std::uint32_t>(
      (header.heaps_offset - header.blocks_offset) / Segment::kBlockUnit));
}

}  // namespace

// Owns a file descriptor. mapped_region calls get_mapping_handle().
class Segment::File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor() const { return descriptor_; }
  boost::interprocess::mapping_handle_t get_mapping_handle() const { return {descriptor_, false}; }

 private:
  int descriptor_;
};

struct Segment::Mapping {
  File file;
  boost::interprocess::mapped_region region;
};

Segment::Segment(std::unique_ptr<Mapping, void (*)(Mapping*)> mapping)
    : mapping_(std::move(mapping)),
      base_(static_cast<std::byte*>(mapping_->region.get_address())),
      bytes_(mapping_->region.get_size()) {}

int Segment::descriptor() const { return mapping_->file.descriptor(); }

std::variant<Segment, std::string> Segment::map(File file, std::size_t bytes) {
  using namespace boost::interprocess;
  try {
    mapped_region region(file, read_write, 0, bytes, nullptr, MAP_NORESERVE);
    // A core dump would read, and so allocate, every page of the sparse segment.
    ::madvise(region.get_address(), bytes, MADV_DONTDUMP);
    // Read-only, because all offsets into the segment are in its header.
    ::mprotect(region.get_address(), kPage, PROT_READ);
    return Segment({new Mapping{std::move(file), std::move(region)},
                    [](Mapping* mapping) { delete mapping; }});
  } catch (const interprocess_exception& refused) {
    errno = refused.get_native_error();
    return system_error("mapping the job segment") + " (" + std::to_string(bytes >> 20) +
           " MiB of address space)";
  }
}

std::variant<Segment, std::string> Segment::create(const JobOptions& options) {
  std::string refused;
  File file(make_file(refused));
  const int descriptor = file.descriptor();
  if (descriptor < 0) return refused;
  JobHeader header{};
  header.magic = kJobMagic;
  header.layout_version = kLayoutVersion;
  header.flags = options.flags | (membarrier_works() ? kJobAsymmetricFence : 0);
  header.nonce = make_nonce();
  header.size = options.size;
  header.cpus = options.cpus;
  header.launcher = options.launcher;
  header.launcher_pids = options.launcher_pids;
  header.capacity = options.capacity != 0 ? options.capacity : std::max(kMaxRanks, options.size);
  header.ring_payload = ring_payload(header.size);
  header.rings = rings_for(header);
  lay_out(header, bytes_of_blocks(header.size), bytes_of_heap(header.size));
  if (header.file_bytes > file_size_limit()) shorten_heaps(header);
  const bool sized = ::ftruncate(descriptor, static_cast<off_t>(header.file_bytes)) == 0;
  if (sized && seal(descriptor)) header.flags |= kJobSealed;
  if (!sized || ::pwrite(descriptor, &header, sizeof header, 0) != sizeof header) {
    return system_error("job segment");
  }
  auto mapped = map(std::move(file), header.heaps_offset);
  if (auto* segment = std::get_if<Segment>(&mapped)) initialize(*segment);
  return mapped;
}

std::variant<Segment, std::string> Segment::attach(const char* description) {
  int inherited = -1;
  int launcher = -1;
  unsigned long long nonce = 0;
  if (std::sscanf(description, "%d:%d:%llx", &inherited, &launcher, &nonce) != 3) {
    return std::string(kJobVariable) + "='" + description + "' is not of the form FD:PID:NONCE";
  }
  JobHeader header{};
  if (is_job(inherited, nonce, header)) return map_job(File(inherited), header);
  // A program between mpiexec and this rank has closed the descriptor.
  const std::string path = "/proc/" + std::to_string(launcher) + "/fd/" + std::to_string(inherited);
  File file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.descriptor() < 0) return system_error((path + ", named by " + kJobVariable).c_str());
  if (!is_job(file.descriptor(), nonce, header)) {
    return path + ", named by " + kJobVariable + ", is not the segment of this job";
  }
  return map_job(std::move(file), header);
}

std::variant<Segment, std::string> Segment::observe(const char* path) {
  JobHeader header{};
  File file(::open(path, O_RDWR | O_CLOEXEC));
  if (file.descriptor() < 0) return system_error(path);
  if (!is_job(file.descriptor(), header)) {
    return std::string(path) + " is not the segment of a job";
  }
  return map_job(std::move(file), header);
}

std::variant<Segment, std::string> Segment::map_job(File file, const JobHeader& header) {
  if (header.layout_version != kLayoutVersion) {
    return "mpiexec uses segment layout " + std::to_string(header.layout_version) + ", this one " +
           std::to_string(kLayoutVersion) + ": they are of different versions";
  }
  std::string why = fault_of(file.descriptor(), header);
  if (!why.empty()) return why;
  ::fcntl(file.descriptor(), F_SETFD, FD_CLOEXEC);
  return map(std::move(file), header.heaps_offset);
}

std::string Segment::description(int descriptor) const {
  char text[80];
  std::snprintf(text, sizeof text, "%d:%d:%llx", descriptor, static_cast<int>(::getpid()),
                static_cast<unsigned long long>(header().nonce));
  return text;
}

Ring* Segment::ring(std::uint32_t sender, std::uint32_t receiver) const {
  // Pairs with the store_release in make_ring(): the ring is constructed.
  const std::uint64_t offset = directory(sender, receiver).load_acquire();
  if (offset == 0) return nullptr;
  ATL_CHECK(lies_among_rings(offset), "the directory of rings names a place where no ring is");
  Ring* ring = at<Ring>(offset);
  ATL_CHECK(ring->sender() == sender && ring->receiver() == receiver,
            "the ring from rank %u to rank %u is said to lead from %u to %u", sender, receiver,
            ring->sender(), ring->receiver());
  return ring;
}

bool Segment::lies_among_rings(std::uint64_t offset) const {
  const std::uint64_t bytes = ring_bytes(header());
  const std::uint64_t start = header().rings_offset;
  return offset >= start && (offset - start) % bytes == 0 &&
         (offset - start) / bytes < header().rings;
}

std::uint64_t Segment::take_ring() {
  const std::uint64_t bytes = ring_bytes(header());
  // Relaxed: the compare-exchange below validates the value.
  std::uint64_t offset = state().rings_next.load_relaxed();
  do {
    if (!lies_among_rings(offset)) return 0;
    // Pairs with take_ring() of other ranks, but needs no order: only the number matters, because
    // no process has touched the memory at that offset yet.
  } while (!state().rings_next.compare_exchange_acq_rel(offset, offset + bytes));
  return offset;
}

bool Segment::make_rendezvous(std::uint32_t rank, std::uint32_t index) {
  if (index >= RendezvousChunks::kRecords) return false;
  const std::uint32_t chunk = RendezvousChunks::chunk_of(index);
  if (index != RendezvousChunks::begin_of(chunk)) return true;
  const auto first = checked_block_map().take(
      units_for(RendezvousChunks::length_of(chunk) * sizeof(RendezvousRecord)));
  if (!first) return false;
  // Relaxed: the packet that will name a record of the chunk publishes the offset.
  rendezvous_chunks(rank).offsets[chunk].store_relaxed(offset_of_block(*first));
  return true;
}

Ring* Segment::make_ring(std::uint32_t sender, std::uint32_t receiver) {
  const std::uint64_t offset = take_ring();
  if (offset == 0) return nullptr;
  Ring* ring = at<Ring>(offset);
  ring->construct(sender, receiver, header().ring_payload);
  // Pairs with ring(): construction comes before the offset.
  directory(sender, receiver).store_release(offset);
  // Pairs with Engine::find_new_rings(): the directory entry comes before the count.
  slot(receiver).inbound_rings.fetch_add_acq_rel(1);
  return ring;
}

CollectiveBuffer* Segment::collective_buffer(ContextId context, std::uint32_t members,
                                             bool& none) const {
  // Pairs with the store_release in make_collective_buffer(): the buffer is constructed.
  const std::uint64_t offset = contexts().buffer(context).load_acquire();
  none = offset == kNoCollectiveBuffer;
  if (none || offset == 0) return nullptr;
  CollectiveBuffer* buffer = at<CollectiveBuffer>(offset);
  ATL_CHECK(lies_in_blocks(offset, sizeof(CollectiveBuffer)) && buffer->capacity() == members &&
                lies_in_blocks(offset, buffer->footprint()),
            "a communicator's memory for collectives is not where it should be");
  return buffer;
}

void Segment::make_collective_buffer(ContextId context, std::uint32_t members,
                                     std::uint32_t slot_bytes, std::uint64_t limit) {
  const auto most =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(limit / kBlockUnit, ~std::uint32_t{0}));
  const auto first =
      checked_block_map().take(units_for(CollectiveBuffer::footprint(members, slot_bytes)), most);
  std::uint64_t offset = kNoCollectiveBuffer;
  if (first) {
    offset = offset_of_block(*first);
    at<CollectiveBuffer>(offset)->construct(members, slot_bytes);
  }
  // Pairs with collective_buffer(): construction comes before the offset.
  contexts().buffer(context).store_release(offset);
}

void Segment::release_context(ContextId context) {
  if (!contexts().release(context)) return;
  // Relaxed: the member that made the buffer has released the context, which orders the load, and
  // free() below orders the store before the next owner of the number.
  const std::uint64_t offset = contexts().buffer(context).load_relaxed();
  if (offset != 0) contexts().buffer(context).store_relaxed(0);
  if (lies_in_blocks(offset, sizeof(CollectiveBuffer))) give_back(offset);
  contexts().free(context);
}

// Gives back the collective buffer at `offset`; its memory is all zero afterwards.
void Segment::give_back(std::uint64_t offset) {
  CollectiveBuffer* buffer = at<CollectiveBuffer>(offset);
  const std::uint64_t bytes = buffer->footprint();
  if (!lies_in_blocks(offset, bytes)) return;
  const std::uint64_t place = offset - header().blocks_offset;
  const bool keep = place < kKeptPart && buffer->written() <= kKeptOfSlots;
  if (keep || ::madvise(base_ + offset, bytes, MADV_REMOVE) != 0) buffer->clear();
  checked_block_map().give_back(static_cast<std::uint32_t>(place / kBlockUnit), units_for(bytes));
}

}  // namespace atl::shm
