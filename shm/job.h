// The layout of the job segment: the only thing launcher and runtime share.
//
//   offset 0            JobHeader           written by the launcher before the first fork, and
//                       mapped read-only: a page of its own
//   state_offset        JobState            written by the ranks
//   slots_offset        RankSlot[capacity]  one a rank; see the field comments for writers
//   directory_offset    uint64[capacity][capacity]  directory[receiver][sender]: offset of
//                       the ring from sender to receiver, 0 = none yet
//   contexts_offset     ContextRegistry     (context_registry.h); a context's buffer() is
//                       the offset of its collective buffer, 0 = none yet
//   transfers_offset    TransferChunks[capacity]  (transfer.h)
//   reports_offset      WaitReport[capacity]; written by the ranks when they are asked
//   crashes_offset      CrashRecord[capacity]; written by ranks that a signal has met
//   rings_offset        rings, one after the other; they live as long as the job
//   block_map_offset    BlockMap (block_map.h): which blocks of the last part are in use
//   blocks_offset       collective buffers, in blocks that are given back, and chunks of
//                       transfers
//
// Rings and collective buffers have memory of their own each, so that no buffer can take the place
// of a ring. What is to come, such as memory of each rank for one-sided communication, can follow
// the last part.
//
// The segment is sparse: `bytes` of address space, of which only touched pages
// cost memory. Fresh pages read as zero, and zero is the initial state of every
// structure here. References inside the segment are offsets from its start.
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
inline constexpr std::uint32_t kLayoutVersion = 8;

// Rank slots of a segment: the first world and what it may spawn later.
inline constexpr std::uint32_t kMaxRanks = 1024;

// Context ids 0 and 1 are taken for MPI_COMM_WORLD and MPI_COMM_SELF, 2 for those
// who have no communicator in common.
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
  std::uint64_t nonce;  // also in the environment, so that a stray descriptor is recognised
  std::uint64_t bytes;  // of the whole segment
  std::uint32_t capacity;
  std::uint32_t size;           // ranks of the first world
  std::uint32_t cpus;           // processing units that the job may use: MPI_UNIVERSE_SIZE
  std::int32_t launcher;        // pid of mpiexec, 0 for a program that runs on its own
  std::uint64_t launcher_pids;  // PID namespace of mpiexec (pid_namespace.h), 0 = not known
  std::uint32_t ring_payload;   // bytes of each ring's payload
  std::uint64_t state_offset;
  std::uint64_t slots_offset;
  std::uint64_t directory_offset;
  std::uint64_t contexts_offset;
  std::uint64_t transfers_offset;
  std::uint64_t reports_offset;
  std::uint64_t crashes_offset;
  std::uint64_t rings_offset;
  std::uint64_t block_map_offset;
  std::uint64_t blocks_offset;

  bool operator==(const JobHeader&) const = default;
};

// What is one for the whole job and changes.
struct alignas(kCacheLine) JobState {
  // Written by every rank: where the next ring goes, from rings_offset on.
  Shared<std::uint64_t> rings_next;
  // kErrorReported from the first rank on that ends the job with an error message: one
  // is enough. A number that does not come about by damage, which would silence it.
  static constexpr std::uint32_t kErrorReported = 0x5e17a6d3;
  Shared<std::uint32_t> error_reported;
  // Counts the ranks that are FenceMode::asymmetric; each adds itself in MPI_Init.
  Shared<std::uint32_t> asymmetric_ranks;
};

// Where a rank's life stands. Written by the rank, read by the launcher.
enum class Life : std::uint32_t {
  launched = 0,     // has not called MPI_Init, or does not use MPI
  initialized = 1,  // between MPI_Init and MPI_Finalize
  finalized = 2,
  aborted = 3,   // called MPI_Abort; abort_code is valid
  sessions = 4,  // called MPI_Finalize, and a session is still open
};

// Whether a rank that is there in its life may call and wait in MPI.
inline bool in_mpi(Life life) { return life == Life::initialized || life == Life::sessions; }

// A place in the code of a rank, in words that outlive its process.
struct CodePlace {
  std::uint64_t offset;  // from where the file was loaded; an absolute address without a file
  char file[1024];       // empty: not known, or longer
  char function[48];     // the nearest name that the file exports, perhaps none
};

// Where a signal met a rank. Written by its signal handler, read by the launcher
// when the rank has ended.
struct CrashRecord {
  static constexpr std::uint32_t kFrames = 12;

  Shared<std::uint32_t> signal;  // 0 = none; stored when `frames[0]` is there
  Shared<std::uint32_t> known;   // how many frames are there
  std::uint64_t address;         // that was touched; 0 when it was not that
  char call[32];                 // the MPI function, empty outside MPI
  CodePlace site;                // where that call returns to
  CodePlace frames[kFrames];     // the instruction, then where each caller goes on
};

struct alignas(kCacheLine) RankSlot {
  // Line 0. Written by the launcher before the fork, constant afterwards.
  std::uint32_t app_number;  // MPI_APPNUM: which part of an MPMD command line
  Location location;         // what all of its processing units share

  // Line 1. Written by the owner going to sleep and by those who wake it.
  alignas(kCacheLine) Doorbell doorbell;

  // Line 2. Written by the rank itself.
  alignas(kCacheLine) Shared<std::uint32_t> life;  // a Life
  Shared<std::int32_t> abort_code;
  Shared<std::int32_t> pid;             // in its own PID namespace; stored after that
  Shared<std::uint64_t> pid_namespace;  // see pid_namespace.h; 0 = not known
  // Addresses in this rank: of a word that holds its probe_word(), of its doorbell,
  // and of its Activity (activity.h).
  Shared<std::uint64_t> probe_address;
  Shared<std::uint64_t> bell_address;
  Shared<std::uint64_t> activity_address;

  // Line 3. Written by senders: counts the rings that were entered into this
  // rank's row of the directory, so that the owner rescans only on change.
  alignas(kCacheLine) Shared<std::uint32_t> inbound_rings;
  // Written by whoever wants to know what the rank waits for: counts the
  // questions. The rank answers in its WaitReport, if it sleeps in MPI.
  Shared<std::uint32_t> question;
  // Written by senders: counts the messages to this rank that they have withdrawn.
  Shared<std::uint32_t> withdrawn;

  // Written by the owner when it is about to sleep.
  alignas(kCacheLine) WaitRecord waiting;
};

// The word by which a rank's memory is recognised before anybody copies from it.
inline std::uint64_t probe_word(std::uint64_t nonce, std::uint32_t rank) {
  return nonce ^ (rank + std::uint64_t{1}) * 0x9e3779b97f4a7c15u;
}

// The environment of a rank: "FD:PID:NONCE" where FD is the segment's
// descriptor, inherited; PID is the launcher, through whose /proc entry the
// segment is found when some program in between closed the descriptor; NONCE
// is JobHeader::nonce in hexadecimal.
inline constexpr const char* kJobVariable = "ATOLL_JOB";
inline constexpr const char* kRankVariable = "ATOLL_RANK";  // rank in MPI_COMM_WORLD
// The error handler that objects begin with, as mpiexec -initial-errhandler names it.
inline constexpr const char* kErrhandlerVariable = "ATOLL_ERRHANDLER";
inline constexpr const char* kErrorsAreFatal = "mpi_errors_are_fatal";
inline constexpr const char* kErrorsAbort = "mpi_errors_abort";
inline constexpr const char* kErrorsReturn = "mpi_errors_return";
// The thread level that MPI_Init gives at least, as mpiexec -thread-level names it.
inline constexpr const char* kThreadLevelVariable = "ATOLL_THREAD_LEVEL";
inline constexpr const char* kThreadLevels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                                "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"};
// Ranks that stop in MPI_Init until a debugger or SIGCONT comes: "all" or "0,3-5".
inline constexpr const char* kStopVariable = "ATOLL_STOP";
// Begins the names of what mpiexec says for MPI_INFO_ENV: ATOLL_INFO_command, ...
// Not in the segment, because programs may ask before MPI_Init.
inline constexpr const char* kInfoVariables = "ATOLL_INFO_";

}  // namespace atl::shm
