// What a rank that sleeps inside MPI waits for, readable from outside: in short,
// written before each sleep, and at length, written when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shm/published.h"

namespace atl::shm {

// What would end a wait.
enum class WaitKind : std::uint32_t { other, receive, send, probe, collective };

// A consistent copy of a wait record, or what the owner wants to publish.
struct WaitInfo {
  char call[32] = {};          // "MPI_Recv"; empty: the rank does not wait
  char began[32] = {};         // what began a collective it waits for: "MPI_Ibcast"
  char communicator[64] = {};  // its name, cut to fit
  WaitKind kind = WaitKind::other;
  std::int32_t peer = 0;         // rank in the communicator, or a negative MPI constant
  std::int32_t peer_world = -1;  // the peer's rank in MPI_COMM_WORLD, -1 = none or any
  std::int32_t tag = 0;
  std::int32_t size = 0;         // of the communicator, 0 = there is none
  std::uint32_t context = 0;     // of the communicator, for point-to-point
  std::uint32_t collective = 0;  // number of the collective on its communicator, from 1 on
  std::uint32_t requests = 0;    // how many requests it waits for
  std::uint32_t any = 0;         // 1: one of these requests is enough
  std::uint32_t sleepers = 0;    // threads of the rank that sleep in MPI
  std::uint64_t bytes = 0;
  std::int64_t since_ns = 0;  // CLOCK_MONOTONIC, of the first sleep of this wait
  std::uint64_t site = 0;     // where the call returns to in the program; 0 = unknown
};

// The owner publishes.
class WaitRecord : public Published<WaitInfo> {
 public:
  void clear() { publish(WaitInfo{}); }
};

// One operation that a sleeping thread waits for.
struct PendingInfo {
  WaitKind kind = WaitKind::other;
  std::uint32_t wait = 0;  // which of ReportInfo::waits it belongs to
  std::int32_t peer = 0;
  std::int32_t peer_world = -1;
  std::int32_t tag = 0;
  std::uint32_t context = 0;
  std::uint32_t collective = 0;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
};

// A message that has come, and that no receive has met.
struct ArrivedInfo {
  std::int32_t source = 0;        // rank in the communicator
  std::int32_t source_world = 0;  // and in MPI_COMM_WORLD
  std::int32_t tag = 0;
  std::uint32_t context = 0;
  std::uint64_t bytes = 0;
  char communicator[40] = {};  // its name, empty when the receiver has no such communicator
};

// How many collectives a rank has begun on one of its communicators.
struct BegunInfo {
  std::uint32_t context = 0;
  std::uint32_t collectives = 0;
};

// All that a rank waits for, and what lies around. What does not fit is left out.
struct ReportInfo {
  static constexpr std::size_t kWaits = 4;
  static constexpr std::size_t kPending = 24;
  static constexpr std::size_t kArrived = 24;
  static constexpr std::size_t kBegun = 32;
  static constexpr std::size_t kMemberWords = 16;  // one bit for each rank of the job

  std::uint32_t question = 0;  // which one it answers
  std::uint32_t waits_count = 0;
  std::uint32_t pending_count = 0;
  std::uint32_t arrived_count = 0;
  std::uint32_t begun_count = 0;
  std::uint32_t unused = 0;
  WaitInfo waits[kWaits];  // one for each sleeping thread
  PendingInfo pending[kPending];
  ArrivedInfo arrived[kArrived];
  BegunInfo begun[kBegun];
  // Who takes part in the communicator of each wait, remote groups included.
  std::uint64_t members[kWaits][kMemberWords] = {};
};

// The owner publishes, when RankSlot::question has changed.
using WaitReport = Published<ReportInfo>;

}  // namespace atl::shm
