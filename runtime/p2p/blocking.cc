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

std::int32_t peer_world(const Awaited& awaited) {
  const Communicator* comm = awaited.communicator;
  const bool named = comm != nullptr && awaited.peer >= 0 && awaited.peer < comm->peers();
  return named ? static_cast<std::int32_t>(comm->world_rank(awaited.peer)) : -1;
}

std::uint32_t context_of(const Awaited& awaited) {
  return awaited.communicator != nullptr ? awaited.communicator->context() : 0;
}

shm::PendingInfo pending(const Awaited& awaited, std::uint32_t wait) {
  shm::PendingInfo info;
  info.kind = awaited.kind;
  info.wait = wait;
  info.peer = awaited.peer;
  info.peer_world = peer_world(awaited);
  info.tag = awaited.tag;
  info.context = context_of(awaited);
  info.collective = awaited.collective;
  info.bytes = awaited.bytes;
  return info;
}

void add_members(const Members& members, std::uint64_t (&words)[shm::ReportInfo::kMemberWords]) {
  for (int rank = 0; rank < members.size(); ++rank) {
    const std::uint32_t world = members.world_rank(rank);
    if (world / 64 < shm::ReportInfo::kMemberWords) words[world / 64] |= 1ull << (world % 64);
  }
}

// The question that this rank has answered last.
std::uint32_t answered = 0;

}  // namespace

Awaited awaited(const Request& request) {
  if (request.stage == Stage::complete && request.other != nullptr) return awaited(*request.other);
  Awaited result{.communicator = request.communicator,
                 .peer = request.peer,
                 .tag = request.tag,
                 .bytes = request.type != nullptr ? request.capacity() : 0,
                 .requests = 1};
  switch (request.kind) {
    case RequestKind::send: result.kind = shm::WaitKind::send; break;
    case RequestKind::receive: result.kind = shm::WaitKind::receive; break;
    case RequestKind::collective:
      if (request.extras != nullptr && request.extras->restartable != nullptr) {
        result = request.extras->restartable->awaited();
      }
      result.kind = shm::WaitKind::collective;
      result.requests = 1;
      break;
    default: result.peer = MPI_PROC_NULL;
  }
  if ((request.context & Communicator::kCollective) != 0) result.kind = shm::WaitKind::collective;
  return result;
}

Awaited Sleeper::awaited_now() const {
  Awaited now = awaited_;
  if (now.update != nullptr) now.update(now.listed, now);
  return now;
}

shm::WaitInfo Sleeper::describe() const {
  const Awaited now = awaited_now();
  shm::WaitInfo info;
  copy_name(info.call, call_ != nullptr ? call_ : "MPI");
  if (now.began != nullptr) copy_name(info.began, now.began);
  if (const Communicator* comm = now.communicator) {
    copy_name(info.communicator, comm->label().c_str());
    info.size = comm->size();
  }
  info.kind = now.kind;
  info.peer = now.peer;
  info.peer_world = peer_world(now);
  info.tag = now.tag;
  info.context = context_of(now);
  info.collective = now.collective;
  info.requests = now.requests;
  info.any = now.any;
  for (const Sleeper* one = asleep_; one != nullptr; one = one->next_) ++info.sleepers;
  info.bytes = now.bytes;
  info.since_ns = since_ns_;
  info.site = reinterpret_cast<std::uint64_t>(site_);
  return info;
}

void Sleeper::before() {
  if (since_ns_ == 0) since_ns_ = monotonic_ns();
  next_ = asleep_;
  asleep_ = this;
  process.slot().waiting.publish(describe());
  // Who asks rings when the doorbell is announced, as it is by now, and otherwise
  // has asked before. Relaxed: sleeper_fence() has ordered it behind that.
  if (process.slot().question.load_relaxed() != answered) answer();
  if (process.threaded) {
    ++process.sleepers;
    process.lock.unlock();
  }
}

void Sleeper::after() {
  if (process.threaded) {
    process.lock.lock();
    --process.sleepers;
  }
  process.activity.call = call_;
  process.activity.site = site_;
  // Relaxed: the ring that woke this rank came behind it.
  if (process.slot().question.load_relaxed() != answered) answer();
  Sleeper** link = &asleep_;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
  if (asleep_ == nullptr) {
    process.slot().waiting.clear();
  } else {
    process.slot().waiting.publish(asleep_->describe());
  }
  // mpiexec takes its children along when it dies, but not their children.
  if (process.wrapped && !shm::launcher_lives(process.segment->descriptor())) ::_exit(kOrphaned);
}

// Says all that the sleeping threads wait for and what has come for nobody.
void Sleeper::answer() {
  auto report = std::make_unique<shm::ReportInfo>();
  // Relaxed: a question that comes later is answered later.
  answered = process.slot().question.load_relaxed();
  report->question = answered;
  for (const Sleeper* one = asleep_; one != nullptr; one = one->next_) one->add_to(*report);
  engine->contexts.for_each_unexpected([&](shm::ContextId context, const Unexpected& message) {
    if (report->arrived_count == shm::ReportInfo::kArrived) return;
    if ((context & Communicator::kCollective) != 0) return;  // not the program's
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

void Sleeper::add_to(shm::ReportInfo& report) const {
  if (report.waits_count == shm::ReportInfo::kWaits) return;
  const std::uint32_t wait = report.waits_count++;
  report.waits[wait] = describe();
  const Awaited now = awaited_now();
  if (const Communicator* comm = now.communicator) {
    add_members(comm->members(), report.members[wait]);
    add_members(comm->peer_members(), report.members[wait]);
  }
  std::vector<Awaited> all{now};
  if (now.list != nullptr) {
    all.clear();
    now.list(now.listed, all);
  }
  for (const Awaited& one : all) {
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
