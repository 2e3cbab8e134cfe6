#include "runtime/p2p/blocking.h"

#include <unistd.h>

#include <cstring>
#include <memory>
#include <new>

#include "base/clock.h"
#include "runtime/p2p/completion.h"
#include "shm/launcher_lock.h"

namespace atl::p2p {
namespace {

constexpr int kOrphaned = 1;  // exit status of a rank whose mpiexec is gone

template <std::size_t N>
void copy_name(char (&to)[N], const char* from) {
  std::strncpy(to, from, N - 1);
}

// The rank in MPI_COMM_WORLD of a peer in the communicator; -1: it names none.
std::int32_t world_rank(const Communicator* comm, std::int32_t peer) {
  const bool named = comm != nullptr && peer >= 0 && peer < comm->peers();
  return named ? static_cast<std::int32_t>(comm->world_rank(peer)) : -1;
}

std::uint32_t context_of(const WaitDescription& description) {
  return description.communicator != nullptr ? description.communicator->context() : 0;
}

// The fields that a wait and each of the operations that it waits for have in common.
template <class Info>
void describe_operation(const WaitDescription& description, Info& info) {
  info.kind = description.kind;
  info.peer = description.peer;
  info.peer_world = world_rank(description.communicator, description.peer);
  info.tag = description.tag;
  info.context = context_of(description);
  info.collective = description.collective;
  info.bytes = description.bytes;
  info.lock = {.holder = description.holder,
               .holder_world = world_rank(description.communicator, description.holder),
               .wanted = description.wanted,
               .held = description.held};
}

shm::PendingInfo pending(const WaitDescription& description, std::uint32_t wait) {
  shm::PendingInfo info;
  describe_operation(description, info);
  info.wait = wait;
  return info;
}

void add_members(const RankMap& members, std::uint64_t (&words)[shm::ReportInfo::kMemberWords]) {
  for (int rank = 0; rank < members.size(); ++rank) {
    const std::uint32_t world = members.world_rank(rank);
    if (world / 64 < shm::ReportInfo::kMemberWords) words[world / 64] |= 1ull << (world % 64);
  }
}

// RankSlot::question when this rank last answered.
std::uint32_t answered = 0;

}  // namespace

WaitDescription wait_description(const Request& request) {
  if (request.stage == Stage::complete && request.other != nullptr)
    return wait_description(*request.other);
  WaitDescription result{.communicator = request.communicator,
                         .peer = request.peer,
                         .tag = request.tag,
                         .bytes = request.type != nullptr ? request.capacity() : 0,
                         .requests = 1};
  switch (request.kind) {
    case RequestKind::send: result.kind = shm::WaitKind::send; break;
    case RequestKind::receive: result.kind = shm::WaitKind::receive; break;
    case RequestKind::collective:
      if (request.extras != nullptr && request.extras->restartable != nullptr) {
        result = request.extras->restartable->wait_description();
      }
      result.kind = shm::WaitKind::collective;
      result.requests = 1;
      break;
    default: result.peer = MPI_PROC_NULL;
  }
  if ((request.context & Communicator::kCollective) != 0) result.kind = shm::WaitKind::collective;
  return result;
}

WaitDescription BlockedWait::current_wait() const {
  WaitDescription now = wait_description_;
  if (now.update != nullptr) now.update(now.listed, now);
  return now;
}

shm::WaitInfo BlockedWait::describe() const {
  const WaitDescription now = current_wait();
  shm::WaitInfo info;
  copy_name(info.call, call_ != nullptr ? call_ : "MPI");
  if (now.began != nullptr) copy_name(info.began, now.began);
  if (const Communicator* comm = now.communicator) {
    copy_name(info.communicator, comm->label().c_str());
    info.size = comm->size();
  }
  describe_operation(now, info);
  info.requests = now.requests;
  info.any = now.any;
  for (const BlockedWait* one = asleep_; one != nullptr; one = one->next_) ++info.sleepers;
  info.since_ns = since_ns_;
  info.site = reinterpret_cast<std::uint64_t>(site_);
  return info;
}

void BlockedWait::before() {
  if (since_ns_ == 0) since_ns_ = monotonic_ns();
  next_ = asleep_;
  asleep_ = this;
  process.slot().waiting.publish(describe());
  // ask() in mpiexec increments `question`, fences and rings if the doorbell is announced, as it
  // is here. Otherwise the increment came before, and this load sees it. Relaxed: sleeper_fence()
  // orders the load after the announcement.
  if (process.slot().question.load_relaxed() != answered) answer();
  if (process.threaded) {
    ++process.sleepers;
    process.lock.unlock();
  }
}

void BlockedWait::after() {
  if (process.threaded) {
    process.lock.lock();
    --process.sleepers;
  }
  process.activity.call = call_;
  process.activity.site = site_;
  // Relaxed: ask() in mpiexec increments `question` before it rings the doorbell that woke this
  // rank.
  if (process.slot().question.load_relaxed() != answered) answer();
  BlockedWait** link = &asleep_;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
  if (asleep_ == nullptr) {
    process.slot().waiting.clear();
  } else {
    process.slot().waiting.publish(asleep_->describe());
  }
  // When mpiexec dies, its children are killed, but not the children of a wrapper.
  if (process.wrapped && !shm::launcher_lives(process.segment->descriptor())) ::_exit(kOrphaned);
}

// Publishes what all sleeping threads wait for and the unexpected messages.
void BlockedWait::answer() {
  auto report = std::make_unique<shm::ReportInfo>();
  // Relaxed: a question that is asked later is answered later.
  answered = process.slot().question.load_relaxed();
  report->question = answered;
  for (const BlockedWait* one = asleep_; one != nullptr; one = one->next_) one->add_to(*report);
  engine->contexts.for_each_unexpected([&](shm::ContextId context, const Unexpected& message) {
    if (report->arrived_count == shm::ReportInfo::kArrived) return;
    if ((context & Communicator::kCollective) != 0) return;  // not a message of the program
    shm::ArrivedInfo& info = report->arrived[report->arrived_count++];
    info.source = message.source;
    info.source_world = static_cast<std::int32_t>(message.sender);
    info.tag = message.tag;
    info.context = context;
    info.bytes = message.bytes;
    const Communicator* comm = communicators.of_context(context);
    if (comm != nullptr) copy_name(info.communicator, comm->label().c_str());
  });
  communicators.for_each([&](const Communicator& comm) {
    if (report->begun_count == shm::ReportInfo::kBegun) return;
    report->begun[report->begun_count++] = {comm.context(), comm.collectives};
  });
  process.segment->report(process.rank).publish(*report);
}

void BlockedWait::add_to(shm::ReportInfo& report) const {
  if (report.waits_count == shm::ReportInfo::kWaits) return;
  const std::uint32_t wait = report.waits_count++;
  report.waits[wait] = describe();
  const WaitDescription now = current_wait();
  if (const Communicator* comm = now.communicator) {
    add_members(comm->members(), report.members[wait]);
    add_members(comm->peer_members(), report.members[wait]);
  }
  std::vector<WaitDescription> all{now};
  if (now.list != nullptr) {
    all.clear();
    now.list(now.listed, all);
  }
  for (const WaitDescription& one : all) {
    if (report.pending_count == shm::ReportInfo::kPending) return;
    report.pending[report.pending_count++] = pending(one, wait);
  }
}

namespace {

bool take_back(Request& request) {
  if (request.stage == Stage::complete) return false;
  return request.kind == RequestKind::send ? engine->cancel_send(request)
                                           : engine->cancel_receive(request);
}

}  // namespace

void block_on_own(Request& request, Peer* near) {
  bool taken_back = false;
  do {
    try {
      block_on(request, near);
    } catch (const std::bad_alloc&) {
      taken_back |= take_back(request);
      if (request.other != nullptr) taken_back |= take_back(*request.other);
    }
  } while (!request.complete());
  if (!taken_back) return;
  static_cast<void>(finish(request, nullptr));
  throw std::bad_alloc();
}

}  // namespace atl::p2p
