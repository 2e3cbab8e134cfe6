// The job segment as mapped memory: made by the launcher (or by a program that
// runs alone), attached to by the ranks.
//
// It is a memfd: it never has a name, so nothing can be left behind whatever
// dies when, and no limit of the /dev/shm mount applies
// (docs/decisions/0001-memfd.md). It is sealed, so that nobody can make it shorter.
// Where memfds are refused it is a file without a name in /dev/shm.
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
#include "shm/ring.h"
#include "shm/transfer.h"
#include "shm/wait_record.h"

namespace atl::shm {

struct JobOptions {
  std::uint32_t size = 1;           // ranks
  std::uint32_t capacity = 0;       // rank slots; 0 = as many as is usual
  std::uint32_t cpus = 1;           // processing units that it may use
  std::int32_t launcher = 0;        // pid of mpiexec, 0 = there is none
  std::uint64_t launcher_pids = 0;  // its PID namespace (pid_namespace.h)
  std::uint32_t flags = 0;          // of JobHeader, besides kJobAsymmetricFence, which is probed
};

class Segment {
 public:
  // A new job. The string is what the system refused, and why.
  static std::variant<Segment, std::string> create(const JobOptions& options);

  // The job that `description`, the value of ATOLL_JOB, names.
  static std::variant<Segment, std::string> attach(const char* description);

  // The job whose segment is that file, for those who look on: /proc/PID/fd/N.
  static std::variant<Segment, std::string> observe(const char* path);

  int descriptor() const;  // close-on-exec
  // The value of ATOLL_JOB for children that inherit `descriptor`, which stays
  // open in this process as well: see attach().
  std::string description(int descriptor) const;

  // Nobody can write to it.
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
  Transfer& transfer(std::uint32_t rank, std::uint32_t index) const {
    ATL_CHECK(index < TransferChunks::kRecords, "a message names a transfer that no rank has");
    const std::uint32_t chunk = TransferChunks::chunk_of(index);
    // Relaxed: the record that names the transfer was published behind it.
    const std::uint64_t offset = transfer_chunks(rank).offsets[chunk].load_relaxed();
    ATL_CHECK(lies_in_blocks(offset, TransferChunks::length_of(chunk) * sizeof(Transfer)),
              "a message names a transfer that its sender has not made");
    return at<Transfer>(offset)[index - TransferChunks::begin_of(chunk)];
  }
  // That rank: makes the chunk that begins with this record, if one does. False when there is
  // no memory for it.
  bool make_transfer(std::uint32_t rank, std::uint32_t index);

  WaitReport& report(std::uint32_t rank) const {
    return at<WaitReport>(header().reports_offset)[rank];
  }

  CrashRecord& crash(std::uint32_t rank) const {
    return at<CrashRecord>(header().crashes_offset)[rank];
  }

  // The ring from `sender` to `receiver`, or null when there is none yet.
  Ring* ring(std::uint32_t sender, std::uint32_t receiver) const;

  // Sender: makes its ring to `receiver` and announces it there. Null when there is no
  // memory for more, which there is for all pairs of the first world.
  Ring* make_ring(std::uint32_t sender, std::uint32_t receiver);

  // The collective buffer of a context, or null while it has none. `none`: there was no memory for
  // one, and its communicator will never have any.
  CollectiveBuffer* collective_buffer(ContextId context, std::uint32_t members, bool& none) const;

  // One member of the context, once: makes it, or says that there is none. `limit`: how
  // much of the memory for collective buffers may be used, in bytes.
  void make_collective_buffer(ContextId context, std::uint32_t members, std::uint32_t slot_bytes,
                              std::uint64_t limit = ~0ull);

  // One member lets go of the context; the last one gives its collective buffer back.
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
  // Offset of the next ring, 0 when there is no memory for it.
  std::uint64_t take_ring();
  TransferChunks& transfer_chunks(std::uint32_t rank) const {
    return at<TransferChunks>(header().transfers_offset)[rank];
  }
  // What ContextRegistry::buffer() says when there is no memory for a collective buffer.
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
    return static_cast<std::uint32_t>((header().bytes - header().blocks_offset) / kBlockUnit);
  }
  // Its size may have been written over since it was made.
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

  // Boost's mapped_region, whose header only segment.cc reads.
  std::unique_ptr<Mapping, void (*)(Mapping*)> mapping_;
  std::byte* base_;
  std::size_t bytes_;
};

}  // namespace atl::shm
