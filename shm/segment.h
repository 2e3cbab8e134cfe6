// The mapped job segment: created by the launcher (or by a program that runs without mpiexec),
// attached by the ranks.
//
// It is a memfd. It never has a name, so no file remains whichever process dies at whatever time,
// and the size limit of the /dev/shm mount does not apply (docs/decisions/0001-memfd.md). It is
// sealed, so that no process can truncate it. Where memfds are refused, it is an unnamed file in
// /dev/shm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "base/check.h"
#include "shm/block_map.h"
#include "shm/collective_buffer.h"
#include "shm/context_registry.h"
#include "shm/job.h"
#include "shm/rendezvous.h"
#include "shm/ring.h"
#include "shm/wait_record.h"

namespace atl::shm {

struct JobOptions {
  std::uint32_t size = 1;           // ranks
  std::uint32_t capacity = 0;       // rank slots; 0 = the default, at least kMaxRanks
  std::uint32_t cpus = 1;           // processing units that the job may use
  std::int32_t launcher = 0;        // pid of mpiexec, 0 = there is none
  std::uint64_t launcher_pids = 0;  // its PID namespace (pid_namespace.h)
  std::uint32_t flags = 0;  // of JobHeader; create() adds kJobAsymmetricFence and kJobSealed
};

class Segment {
 public:
  // Creates the segment of a new job. The string says what the system refused, and why.
  static std::variant<Segment, std::string> create(const JobOptions& options);

  // Attaches to the job named by `description`, the value of ATOLL_JOB.
  static std::variant<Segment, std::string> attach(const char* description);

  // For observers: maps the job whose segment is the file `path`, such as /proc/PID/fd/N.
  static std::variant<Segment, std::string> observe(const char* path);

  int descriptor() const;  // close-on-exec
  // The value of ATOLL_JOB for children that inherit `descriptor`, which stays
  // open in this process as well: see attach().
  std::string description(int descriptor) const;

  // Mapped read-only in every process.
  const JobHeader& header() const {
    return *static_cast<const JobHeader*>(static_cast<void*>(base_));
  }
  JobState& state() const { return *at<JobState>(header().state_offset); }
  std::uint32_t size() const { return header().size; }
  std::uint32_t capacity() const { return header().capacity; }
  FenceMode fence_mode() const {
    return (header().flags & kJobAsymmetricFence) ? FenceMode::asymmetric : FenceMode::symmetric;
  }

  RankSlot& slot(std::uint32_t rank) const { return at<RankSlot>(header().slots_offset)[rank]; }
  ContextRegistry& contexts() const { return *at<ContextRegistry>(header().contexts_offset); }
  RendezvousRecord& rendezvous(std::uint32_t rank, std::uint32_t index) const {
    ATL_CHECK(index < RendezvousChunks::kRecords, "a message names a rendezvous that no rank has");
    const std::uint32_t chunk = RendezvousChunks::chunk_of(index);
    // Relaxed: make_rendezvous() stored the offset before the packet that names the record was
    // published.
    const std::uint64_t offset = rendezvous_chunks(rank).offsets[chunk].load_relaxed();
    ATL_CHECK(lies_in_blocks(offset, RendezvousChunks::length_of(chunk) * sizeof(RendezvousRecord)),
              "a message names a rendezvous that its sender has not made");
    return at<RendezvousRecord>(offset)[index - RendezvousChunks::begin_of(chunk)];
  }
  // Called by `rank` itself: if record `index` is the first of a chunk, makes that chunk. False
  // when there is no memory for it or `index` is too large.
  bool make_rendezvous(std::uint32_t rank, std::uint32_t index);

  WaitReport& report(std::uint32_t rank) const {
    return at<WaitReport>(header().reports_offset)[rank];
  }

  CrashRecord& crash(std::uint32_t rank) const {
    return at<CrashRecord>(header().crashes_offset)[rank];
  }

  // The ring from `sender` to `receiver`, or null when there is none yet.
  Ring* ring(std::uint32_t sender, std::uint32_t receiver) const;

  // Called by the sender: makes its ring to `receiver` and counts it in the receiver's
  // inbound_rings. Null when there is no memory for more rings; there is memory for all pairs of
  // the first world, unless the address space is limited (ulimit -v).
  Ring* make_ring(std::uint32_t sender, std::uint32_t receiver);

  // The collective buffer of a context, or null while it has none. Sets `none` if there was no
  // memory for it; then the communicator will never have one.
  CollectiveBuffer* collective_buffer(ContextId context, std::uint32_t members, bool& none) const;

  // Called once, by one member of the context: makes the collective buffer within the first `limit`
  // bytes of the memory for collective buffers, or records that there is no memory for it.
  void make_collective_buffer(ContextId context, std::uint32_t members, std::uint32_t slot_bytes,
                              std::uint64_t limit = ~0ull);

  // Releases the context on behalf of one member; the last one gives back the collective buffer.
  void release_context(ContextId context);

  // Which blocks of the memory for collective buffers are in use, in units of kBlockUnit bytes.
  BlockMap& block_map() const { return *at<BlockMap>(header().block_map_offset); }
  static constexpr std::uint64_t kBlockUnit = 16 * 1024;

 private:
  class File;
  struct Mapping;

  static std::variant<Segment, std::string> map_job(File file, const JobHeader& header);
  static std::variant<Segment, std::string> map(File file, std::size_t bytes);

  explicit Segment(std::unique_ptr<Mapping, void (*)(Mapping*)> mapping);

  template <class T>
  T* at(std::uint64_t offset) const {
    ATL_DCHECK(offset < bytes_ && offset % alignof(T) == 0);
    return static_cast<T*>(static_cast<void*>(base_ + offset));
  }
  // Takes memory for a ring: its offset, or 0 when there is none left.
  std::uint64_t take_ring();
  RendezvousChunks& rendezvous_chunks(std::uint32_t rank) const {
    return at<RendezvousChunks>(header().rendezvous_offset)[rank];
  }
  // Value of ContextRegistry::buffer() when there was no memory for a collective buffer.
  static constexpr std::uint64_t kNoCollectiveBuffer = 1;
  bool lies_among_rings(std::uint64_t offset) const;
  std::uint64_t offset_of_block(std::uint64_t unit) const {
    return header().blocks_offset + unit * kBlockUnit;
  }
  bool lies_in_blocks(std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t start = header().blocks_offset;
    return offset >= start && (offset - start) % kBlockUnit == 0 && offset <= bytes_ &&
           bytes <= bytes_ - offset;
  }
  std::uint32_t block_units() const {
    return static_cast<std::uint32_t>((header().heaps_offset - header().blocks_offset) /
                                      kBlockUnit);
  }
  // The map, after a check that no process has overwritten its size.
  BlockMap& checked_block_map() const {
    ATL_CHECK(block_map().units() == block_units(), "the map of memory has %u units instead of %u",
              block_map().units(), block_units());
    return block_map();
  }
  void give_back(std::uint64_t offset);
  Shared<std::uint64_t>& directory(std::uint32_t sender, std::uint32_t receiver) const {
    const std::size_t row = static_cast<std::size_t>(receiver) * capacity();
    return at<Shared<std::uint64_t>>(header().directory_offset)[row + sender];
  }

  // Contains Boost's mapped_region, whose header only segment.cc includes.
  std::unique_ptr<Mapping, void (*)(Mapping*)> mapping_;
  std::byte* base_;
  std::size_t bytes_;
};

}  // namespace atl::shm
