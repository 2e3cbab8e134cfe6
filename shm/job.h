// The layout of the job segment, the only interface between launcher and runtime.
//
//   offset 0            JobHeader           written by the launcher before the first fork, and
//                       mapped read-only: a page of its own
//   state_offset        JobState            written by the ranks
//   slots_offset        RankSlot[capacity]  one per rank; see the field comments for writers
//   directory_offset    uint64[capacity][capacity]  directory[receiver][sender]: offset of
//                       the ring from sender to receiver, 0 = none yet
//   contexts_offset     ContextRegistry     (context_registry.h); a context's buffer() is
//                       the offset of its collective buffer, 0 = none yet
//   rendezvous_offset   RendezvousChunks[capacity]  (rendezvous.h)
//   reports_offset      WaitReport[capacity]; written by each rank on request
//   crashes_offset      CrashRecord[capacity]; written by the signal handler of a crashing rank
//   rings_offset        rings, one after the other; they live as long as the job
//   block_map_offset    BlockMap (block_map.h): which blocks of the next part are in use
//   blocks_offset       collective buffers, in blocks that are given back, and chunks of
//                       rendezvous records, which live as long as the job
//   heaps_offset        the heap of each rank slot (heap.h), heap_bytes long: memory that the
//                       program or MPI allocates, for instance for windows
//
// Every process maps the segment up to heaps_offset. Heaps are mapped by ranks alone, when they
// first need them.
//
// Rings and collective buffers have separate parts, so that collective buffers cannot use up the
// memory of rings.
//
// The file is sparse: of its `file_bytes` only touched pages cost memory. Fresh pages read as zero,
// and zero is the initial state of every structure here but those in heaps, whose memory is used
// again. References inside the segment are offsets from its start, those inside a heap offsets from
// the start of that heap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/shared.h"
#include "shm/base/cache_line.h"
#include "shm/doorbell.h"
#include "shm/location.h"
#include "shm/wait_record.h"

namespace atl::shm {

inline constexpr std::uint64_t kJobMagic = 0x314c4c4f5441ull;  // "ATOLL1"
inline constexpr std::uint32_t kLayoutVersion = 9;

// Rank slots of a segment: for the first world and for ranks spawned later.
inline constexpr std::uint32_t kMaxRanks = 1024;

// Context ids 0 and 1 belong to MPI_COMM_WORLD and MPI_COMM_SELF, 2 to ranks that have no
// communicator in common.
inline constexpr std::uint32_t kStandingContexts = 3;

// Bits of JobHeader::flags.
inline constexpr std::uint32_t kJobAsymmetricFence = 1u << 0;  // membarrier works here
inline constexpr std::uint32_t kJobSharedCores = 1u << 1;      // more ranks than cores
inline constexpr std::uint32_t kJobLineBuffered = 1u << 2;     // stdout ends at a terminal
inline constexpr std::uint32_t kJobSealed = 1u << 3;           // the segment cannot shrink

struct alignas(kCacheLine) JobHeader {
  // Constant after the launcher created the segment.
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t flags;
  std::uint64_t nonce;       // also in the environment, so that a stray descriptor is recognised
  std::uint64_t file_bytes;  // of the whole segment
  std::uint32_t capacity;
  std::uint32_t size;           // ranks of the first world
  std::uint32_t cpus;           // processing units that the job may use: MPI_UNIVERSE_SIZE
  std::int32_t launcher;        // pid of mpiexec, 0 for a program that runs on its own
  std::uint64_t launcher_pids;  // PID namespace of mpiexec (pid_namespace.h), 0 = not known
  std::uint32_t ring_payload;   // bytes of each ring's payload
  std::uint32_t rings;          // that there is room for
  std::uint64_t state_offset;
  std::uint64_t slots_offset;
  std::uint64_t directory_offset;
  std::uint64_t contexts_offset;
  std::uint64_t rendezvous_offset;
  std::uint64_t reports_offset;
  std::uint64_t crashes_offset;
  std::uint64_t rings_offset;
  std::uint64_t block_map_offset;
  std::uint64_t blocks_offset;
  std::uint64_t heaps_offset;  // like heap_bytes a multiple of kHugePage
  std::uint64_t heap_bytes;    // of each rank slot; 0 where a file may not be so long

  bool operator==(const JobHeader&) const = default;
};

// The mutable state of the whole job.
struct alignas(kCacheLine) JobState {
  // Written by every rank: offset of the next ring to be made, at first rings_offset.
  Shared<std::uint64_t> rings_next;
  // Set to kErrorReported by the first rank that ends the job with an error message; the others
  // then print none. An unlikely number, so that a damaged segment does not silence the message.
  static constexpr std::uint32_t kErrorReported = 0x5e17a6d3;
  Shared<std::uint32_t> error_reported;
  // Counts the ranks that are FenceMode::asymmetric; each adds itself in MPI_Init.
  Shared<std::uint32_t> asymmetric_ranks;
};

// The state of a rank in MPI. Written by the rank, at last by mpiexec (`killed`); read by mpiexec,
// tools and ranks that wait for a lock.
enum class Life : std::uint32_t {
  launched = 0,     // has not called MPI_Init, or does not use MPI
  initialized = 1,  // between MPI_Init and MPI_Finalize
  finalized = 2,
  aborted = 3,   // called MPI_Abort; abort_code is valid
  sessions = 4,  // called MPI_Finalize, and a session is still open
  killed = 5,    // its process has ended in MPI, and the job goes on (-disable-auto-cleanup)
};

// Whether a rank in this state may call and wait in MPI.
inline bool in_mpi(Life life) { return life == Life::initialized || life == Life::sessions; }

// A place in the code of a rank, in a form that is valid after its process has ended.
struct CodePlace {
  std::uint64_t offset;  // from the file's load address; an absolute address without a file
  char file[1024];       // empty: not known, or the path is longer
  char function[48];     // the nearest symbol that the file exports; may be empty
};

// Where a rank was when it received a fatal signal. Written by its signal handler, read by the
// launcher when the rank has ended.
struct CrashRecord {
  static constexpr std::uint32_t kFrames = 12;

  Shared<std::uint32_t> signal;  // 0 = none; stored after `frames[0]`
  Shared<std::uint32_t> known;   // number of valid frames
  std::uint64_t address;         // whose access caused the signal; 0 for other causes
  char call[32];                 // the MPI function, empty outside MPI
  CodePlace site;                // return address of that call
  CodePlace frames[kFrames];     // the instruction, then the return address of each caller
};

struct alignas(kCacheLine) RankSlot {
  // Line 0. Written by the launcher before the fork, constant afterwards.
  std::uint32_t app_number;  // MPI_APPNUM: index of the part of an MPMD command line
  Location location;         // the objects that contain all of its processing units

  // Line 1. Written by the owner when it sleeps, and by processes that wake it.
  alignas(kCacheLine) Doorbell doorbell;

  // Line 2. Written by the rank itself; `life` also by mpiexec, when the rank has ended.
  alignas(kCacheLine) Shared<std::uint32_t> life;  // a Life
  Shared<std::int32_t> abort_code;
  Shared<std::int32_t> pid;             // in its own PID namespace; stored after pid_namespace
  Shared<std::uint64_t> pid_namespace;  // see pid_namespace.h; 0 = not known
  // Addresses in this rank's address space: of a word that holds its probe_word(), of its
  // doorbell, and of its Activity (activity.h).
  Shared<std::uint64_t> probe_address;
  Shared<std::uint64_t> bell_address;
  Shared<std::uint64_t> activity_address;

  // Line 3. Written by senders: counts the rings that they have entered into this rank's row of
  // the directory, so that the owner rescans the row only when the count changes.
  alignas(kCacheLine) Shared<std::uint32_t> inbound_rings;
  // Written by a process that asks what the rank waits for: counts the questions. A rank that
  // sleeps in MPI publishes its WaitReport in reply.
  Shared<std::uint32_t> question;
  // Written by senders: counts the messages to this rank that they have cancelled.
  Shared<std::uint32_t> cancelled;

  // Written by the owner before it sleeps.
  alignas(kCacheLine) WaitRecord waiting;
};

// The word by which a process verifies that it reaches the right rank's memory, before it copies
// from it.
inline std::uint64_t probe_word(std::uint64_t nonce, std::uint32_t rank) {
  return nonce ^ (rank + std::uint64_t{1}) * 0x9e3779b97f4a7c15u;
}

// Environment variable of a rank: "FD:PID:NONCE". FD is the inherited descriptor of the segment.
// PID is the launcher's; if a program between mpiexec and the rank closed FD, the rank opens the
// segment through the launcher's /proc entry. NONCE is JobHeader::nonce in hexadecimal.
inline constexpr const char* kJobVariable = "ATOLL_JOB";
inline constexpr const char* kRankVariable = "ATOLL_RANK";  // rank in MPI_COMM_WORLD
// The initial error handler, as named by mpiexec -initial-errhandler.
inline constexpr const char* kErrhandlerVariable = "ATOLL_ERRHANDLER";
inline constexpr const char* kErrorsAreFatal = "mpi_errors_are_fatal";
inline constexpr const char* kErrorsAbort = "mpi_errors_abort";
inline constexpr const char* kErrorsReturn = "mpi_errors_return";
// The minimum thread level that MPI_Init provides, as named by mpiexec -thread-level.
inline constexpr const char* kThreadLevelVariable = "ATOLL_THREAD_LEVEL";
inline constexpr const char* kThreadLevels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
// Ranks that stop in MPI_Init until a debugger or SIGCONT comes: "all" or "0,3-5".
inline constexpr const char* kStopVariable = "ATOLL_STOP";
// Prefix of the variables in which mpiexec passes the values of MPI_INFO_ENV:
// ATOLL_INFO_command, ... Not in the segment, because programs may read MPI_INFO_ENV before
// MPI_Init.
inline constexpr const char* kInfoVariables = "ATOLL_INFO_";

}  // namespace atl::shm
