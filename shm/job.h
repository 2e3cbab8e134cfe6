// The layout of the job segment: the only thing launcher and runtime share.
//
//   offset 0            JobHeader           written by the launcher before the first fork
//   slots_offset        RankSlot[capacity]  one a rank; see the field comments for writers
//   directory_offset    uint64[capacity][capacity]  directory[receiver][sender]: offset of
//                       the ring from sender to receiver, 0 = none yet
//   contexts_offset     ContextRegistry     (context_registry.h)
//   transfers_offset    TransferChunks[capacity]  (transfer.h)
//   reports_offset      WaitReport[capacity]; written by the ranks when they are asked
//   crashes_offset      CrashRecord[capacity]; written by ranks that a signal has met
//   arenas_offset       uint64[kContexts]   arenas[context's number]: offset of its arena
//                       (arena.h), 0 = none yet
//   free_offset         rings, arenas and chunks of transfers, bump-allocated
//
// The segment is sparse: `bytes` of address space, of which only touched pages
// cost memory. Fresh pages read as zero, and zero is the initial state of every
// structure here. References inside the segment are offsets from its start.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shm/base/cache_line.h"
#include "shm/base/shared.h"
#include "shm/doorbell.h"
#include "shm/location.h"
#include "shm/wait_record.h"

namespace atl::shm {

inline constexpr std::uint64_t kJobMagic = 0x314c4c4f5441ull;  // "ATOLL1"
inline constexpr std::uint32_t kLayoutVersion = 7;

// Rank slots of a segment: the first world and what it may spawn later.
inline constexpr std::uint32_t kMaxRanks = 1024;

// Context ids 0 and 1 are taken for MPI_COMM_WORLD and MPI_COMM_SELF, 2 for those
// who have no communicator in common.
inline constexpr std::uint32_t kStandingContexts = 3;

// Bits of JobHeader::flags.
inline constexpr std::uint32_t kJobAsymmetricFence = 1u << 0;  // membarrier works here
inline constexpr std::uint32_t kJobSharedCores = 1u << 1;      // more ranks than cores
inline constexpr std::uint32_t kJobLineBuffered = 1u << 2;     // stdout ends at a terminal

struct alignas(kCacheLine) JobHeader {
  // Constant after the launcher created the segment.
  std::uint64_t magic;
  std::uint32_t layout_version;
  std::uint32_t flags;
  std::uint64_t nonce;  // also in the environment, so that a stray descriptor is recognised
  std::uint64_t bytes;  // of the whole segment
  std::uint32_t capacity;
  std::uint32_t size;          // ranks of the first world
  std::uint32_t cpus;          // processing units that the job may use: MPI_UNIVERSE_SIZE
  std::int32_t launcher;       // pid of mpiexec, 0 for a program that runs on its own
  std::uint32_t ring_payload;  // bytes of each ring's payload
  std::uint64_t slots_offset;
  std::uint64_t directory_offset;
  std::uint64_t contexts_offset;
  std::uint64_t transfers_offset;
  std::uint64_t reports_offset;
  std::uint64_t crashes_offset;
  std::uint64_t arenas_offset;
  std::uint64_t free_offset;

  // Written by every rank: first free byte.
  alignas(kCacheLine) Shared<std::uint64_t> free_next;
  // Set by the first rank that ends the job with an error message: one is enough.
  Shared<std::uint32_t> error_reported;
};

// Where a rank's life stands. Written by the rank, read by the launcher.
enum class Life : std::uint32_t {
  launched = 0,     // has not called MPI_Init, or does not use MPI
  initialized = 1,  // between MPI_Init and MPI_Finalize
  finalized = 2,
  aborted = 3,  // called MPI_Abort; abort_code is valid
};

// How the launcher bound a rank.
struct Placement {
  Location at;
  std::uint32_t cpus = 0;  // processing units the rank may use; 0 = not bound
};

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
  Placement placement;

  // Line 1. Written by the owner going to sleep and by those who wake it.
  alignas(kCacheLine) Doorbell doorbell;

  // Line 2. Written by the rank itself.
  alignas(kCacheLine) Shared<std::uint32_t> life;  // a Life
  Shared<std::int32_t> abort_code;
  Shared<std::int32_t> pid;
  // Addresses in this rank: of a word that holds JobHeader::nonce, of its
  // doorbell, and of its Activity (activity.h).
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
