// Says to mpiexec and tools what a rank that sleeps inside MPI waits for: the wait record, a
// summary written before each sleep, and the wait report, with all details, written on request.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shm/published.h"

namespace atl::shm {

// What kind of operation a rank waits for.
enum class WaitKind : std::uint32_t {
  other,
  receive,
  send,
  probe,
  collective,
  lock,      // the lock of a target of a window: `peer`
  post,      // MPI_Win_post of `peer`
  complete,  // MPI_Win_complete of `peer`
};

// How the lock of a target is wanted or held.
enum class LockMode : std::uint32_t { none, shared, exclusive };

// The lock that a rank waits for; empty for other kinds of waits.
struct LockInfo {
  std::int32_t holder = -1;        // rank in the window; -1: not known, or nobody
  std::int32_t holder_world = -1;  // its rank in MPI_COMM_WORLD
  LockMode wanted = LockMode::none;
  LockMode held = LockMode::none;  // by the holder; shared: others may hold it too
};

// The value of a wait record, as published by the owner or read by another process.
struct WaitInfo {
  char call[32] = {};          // "MPI_Recv"; empty: the rank does not wait
  char began[32] = {};         // call that started the collective it waits for: "MPI_Ibcast"
  char communicator[64] = {};  // name of the communicator, or "window NAME", cut to fit
  WaitKind kind = WaitKind::other;
  std::int32_t peer = 0;         // rank in the communicator, or a negative MPI constant
  std::int32_t peer_world = -1;  // the peer's rank in MPI_COMM_WORLD, -1 = none or any
  std::int32_t tag = 0;
  std::int32_t size = 0;         // of the communicator, 0 = there is none
  std::uint32_t context = 0;     // of the communicator, for point-to-point
  std::uint32_t collective = 0;  // number of the collective on its communicator, from 1 on
  std::uint32_t requests = 0;    // number of requests that the call waits for
  std::uint32_t any = 0;         // 1: the call returns when any one of them completes
  std::uint32_t sleepers = 0;    // threads of the rank that sleep in MPI
  std::uint64_t bytes = 0;
  std::int64_t since_ns = 0;  // CLOCK_MONOTONIC, of the first sleep of this wait
  std::uint64_t site = 0;     // return address of the call in the program; 0 = unknown
  LockInfo lock = {};
};

// Published by the rank that owns the slot.
class WaitRecord : public Published<WaitInfo> {
 public:
  void clear() { publish(WaitInfo{}); }
};

// One operation that a sleeping thread waits for.
struct PendingInfo {
  WaitKind kind = WaitKind::other;
  std::uint32_t wait = 0;  // index in ReportInfo::waits of the wait that it belongs to
  std::int32_t peer = 0;
  std::int32_t peer_world = -1;
  std::int32_t tag = 0;
  std::uint32_t context = 0;
  std::uint32_t collective = 0;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
  LockInfo lock = {};
};

// An unexpected message.
struct ArrivedInfo {
  std::int32_t source = 0;        // rank in the communicator
  std::int32_t source_world = 0;  // rank in MPI_COMM_WORLD
  std::int32_t tag = 0;
  std::uint32_t context = 0;
  std::uint64_t bytes = 0;
  char communicator[40] = {};  // its name; empty if the receiver has no such communicator
};

// Number of collectives that a rank has started on one of its communicators.
struct BegunInfo {
  std::uint32_t context = 0;
  std::uint32_t collectives = 0;
};

// Everything that a rank waits for, with its unexpected messages and its counts of collectives.
// Entries beyond the capacity of an array are left out.
struct ReportInfo {
  static constexpr std::size_t kWaits = 4;
  static constexpr std::size_t kPending = 24;
  static constexpr std::size_t kArrived = 24;
  static constexpr std::size_t kBegun = 32;
  static constexpr std::size_t kMemberWords = 16;  // one bit for each rank of the job

  std::uint32_t question = 0;  // RankSlot::question that this report replies to
  std::uint32_t waits_count = 0;
  std::uint32_t pending_count = 0;
  std::uint32_t arrived_count = 0;
  std::uint32_t begun_count = 0;
  std::uint32_t unused = 0;
  WaitInfo waits[kWaits];  // one per sleeping thread
  PendingInfo pending[kPending];
  ArrivedInfo arrived[kArrived];
  BegunInfo begun[kBegun];
  // For each wait, the ranks of its communicator, remote groups included.
  std::uint64_t members[kWaits][kMemberWords] = {};
};

// Published by the rank that owns it when RankSlot::question has changed.
using WaitReport = Published<ReportInfo>;

}  // namespace atl::shm
