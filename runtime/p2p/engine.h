// The progress engine: the rings and the operations under way of this rank.
//
// All of it belongs to the thread that is in MPI: the one that holds the
// process lock at MPI_THREAD_MULTIPLE, the only one below that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "runtime/core/process.h"
#include "runtime/p2p/inbound_rings.h"
#include "runtime/p2p/matching.h"
#include "runtime/p2p/peer.h"
#include "runtime/p2p/record.h"
#include "runtime/p2p/request.h"
#include "runtime/p2p/transfer_pool.h"

namespace atl::p2p {

class Engine {
 public:
  Engine();

  Peer& peer(std::uint32_t world_rank) {
    ATL_DCHECK(world_rank < peers_.size());
    return peers_[world_rank];
  }
  InboundRings& rings() { return rings_; }

  // Does what can be done without waiting: takes in what arrived, copies pieces of large
  // messages, sends what was queued. It does not copy more than a few fragments. False
  // when there was nothing to do; a quick look may leave things to the next ones.
  bool poll(shm::Look look = shm::Look::quick) { return poll(look, kBatch, nullptr); }

  // As poll(), for the ring from one rank alone.
  bool poll_from(Peer& peer, int most = kBatch) {
    if (!peer.in_connected || peer.in.peek() == nullptr) return false;
    budget_ = kPollBytes;
    return drain(peer, most);
  }

  // For calls that may be served without a poll: every so many of them there is one
  // nevertheless, since a program whose calls never wait is to make progress with all else
  // that it has begun and that others wait for (MPI 5.0, 2.4.2 and 3.5). `by` is the
  // sender whose message was received: the call has looked at its ring.
  void poll_now_and_then(const Peer* by = nullptr) {
    if (__builtin_expect(--calls_until_poll_ == 0, 0)) poll_beside(by);
  }

  // For one who polls only where it expects its news: whether to poll everything now.
  bool everything_due() {
    constexpr std::uint32_t kNearPolls = 8;  // for one poll of everything
    return ++near_polls_ % kNearPolls == 0;
  }

  // To be run when nothing is half done any more: in the next poll(). May start
  // operations, but not wait.
  void later(void (*run)(void*), void* argument) { deferred_.push_back({run, argument}); }

  // To be asked in each poll() whether what it waits for in shared memory has come;
  // true when it did something. It may start operations, but not wait, and may be
  // gone when it returns true.
  void watch(bool (*look)(void*, shm::Look), void* argument) {
    watched_.push_back({look, argument});
  }
  void unwatch(void* argument) {
    std::erase_if(watched_, [=](const Watched& one) { return one.argument == argument; });
  }

  // --- sends ---
  // Makes the ring to a rank, if it is not there yet.
  Fault connect(std::uint32_t world_rank);
  // Sends at once or queues; `request` then completes by itself.
  void start_send(Request& request);
  bool cancel_send(Request& request);

  // --- receives ---
  // The message that a receive or probe meets, if it is here and was not cancelled.
  Unexpected* find_message(MatchContext& context, std::int32_t source, std::int32_t tag);
  // Meets a message that is here or posts the receive.
  void start_receive(Request& request) {
    MatchContext& context = contexts.get(request.context);
    if (__builtin_expect(context.none_unexpected(), 1)) {
      context.post(request);
    } else {
      meet_or_post(context, request);
    }
  }
  bool cancel_receive(Request& request);
  // Settles that a message taken out of its queue is received here. False when
  // its sender cancelled it before.
  bool accept(const Unexpected& message) {
    return message.transfer == kNoTransfer || take_offer(message.sender, message.transfer);
  }
  // Receives an accepted message.
  void receive_message(Request& request, std::unique_ptr<Unexpected> message);

  // It is complete: tells the call that waits for several.
  static void count_down(Request& request) {
    if (__builtin_expect(request.counter != nullptr, 0)) count_down_slowly(request);
  }

  // Marks as complete, and destroys if nobody is to look at it any more.
  void complete(Request& request, Fault fault = {});

  MatchContexts contexts;
  // Forgets what this rank knows of a context that it has released.
  void drop(shm::ContextId context);

  // Nothing of this rank is under way that another rank waits for.
  bool idle() const { return offered_.empty() && copying_.empty() && waiting_peers_.empty(); }

 private:
  // Other threads of this process that sleep look again: for a request or a message.
  void wake_sleepers() {
    if (__builtin_expect(process.sleepers != 0, 0)) process.slot().doorbell.ring();
  }

  // Records taken from one ring before the others get their turn.
  static constexpr int kBatch = 32;
  // As many records from each ring when a call polls that needs nothing: what it takes in
  // may be what the next calls would have received faster by themselves.
  static constexpr int kFewRecords = 4;
  static constexpr std::uint32_t kCallsPerPoll = 128;  // that were served without one
  // Bytes that a poll copies out of the rings, as many for either list of large messages and
  // as many of queued sends: the last fragment may exceed them.
  static constexpr std::int64_t kPollBytes = 512 * 1024;
  // Of the operations in a list that a quick look asks for progress.
  static constexpr std::size_t kTurns = 32;

  bool poll(shm::Look look, int most, const Peer* except);
  [[gnu::noinline]] void poll_beside(const Peer* by) { poll(shm::Look::quick, kFewRecords, by); }
  template <class Progress>
  bool take_turns(RequestList& list, shm::Look look, Progress progress);

  struct Deferred {
    void (*run)(void*);
    void* argument;
  };
  void run_deferred();

  struct Watched {
    bool (*look)(void*, shm::Look);
    void* argument;
  };
  bool look_at_watched(shm::Look look);

  // Taking in (arrivals.cc).
  void find_new_rings();
  bool drain(Peer& peer, int most = kBatch);
  bool arrive_whole(const Peer& peer, const Record& record);
  // These three: false, and nothing done, when there is no memory to keep the message.
  bool take_in(Peer& peer, const Record& record);
  bool arrive(Peer& peer, const Record& record, std::span<const std::byte> data,
              std::uint64_t bytes);
  bool keep(Peer& peer, MatchContext& context, const Record& record,
            std::span<const std::byte> data, std::uint64_t bytes);
  bool try_again_to_keep();
  void watch_unexpected();
  void drop_withdrawn();
  void arrive_more(Peer& peer, std::span<const std::byte> data);
  void arrive_piece(const Peer& peer, const Record& record, std::span<const std::byte> data);
  [[gnu::noinline]] static void count_down_slowly(Request& request);
  // A request that nobody holds is complete.
  [[gnu::noinline]] void end_detached(Request& request);
  void meet_or_post(MatchContext& context, Request& request);
  void deliver(Request& receive, std::uint64_t start, std::span<const std::byte> data);
  void match(Request& receive, std::uint32_t sender, std::int32_t source, std::int32_t tag,
             std::uint64_t bytes, datatype::Signature signature);
  bool take_offer(std::uint32_t sender, std::uint32_t transfer);
  bool give_up_withdrawn(std::uint32_t sender, std::uint32_t transfer);
  bool give_up_withdrawn(const Unexpected& message);

  // Large messages (transfers.cc).
  void answer_offer(Request& receive, std::uint32_t transfer);
  void answer_received(std::uint32_t sender, std::uint32_t transfer);
  void answer_streaming(Request& receive);
  bool progress_send(Request& request);
  bool progress_receive(Request& request);
  void end_offer(Request& request);
  bool copy_piece(shm::Transfer& transfer, Request& request);
  bool stream(Request& request, shm::Transfer& transfer);
  bool reaches(std::uint32_t world_rank);

  // Sending (sending.cc).
  bool try_send(Request& request);
  bool goes_by_offer(Peer& peer, const Request& request);
  bool fails_for_good(Request& request);
  bool take_transfer(Request& request, bool offer);
  void retire_withdrawn(const Request& request);
  bool send_eager(Peer& peer, Request& request);
  bool send_offer(Peer& peer, Request& request);
  shm::Slot* claim_piece(Peer& peer, Request& request, std::uint32_t length);
  bool flush_queued();
  bool flush(Peer& peer);

  shm::Segment& segment_;
  std::vector<Peer> peers_;       // by rank in the job
  InboundRings rings_;            // by their senders
  std::uint32_t rings_seen_ = 0;  // of RankSlot::inbound_rings
  std::int64_t budget_ = 0;       // bytes that this part of a poll may still copy
  std::uint32_t calls_until_poll_ = kCallsPerPoll;
  std::uint32_t near_polls_ = 0;
  bool offers_only_ = false;     // senders are told to keep what nobody has asked for
  bool starved_ = false;         // a ring waits for memory to keep its message
  std::uint32_t withdrawn_ = 0;  // of RankSlot::withdrawn
  TransferPool transfers_;
  RequestList offered_;                       // sends whose transfer is not finished
  RequestList copying_;                       // receives that copy pieces
  std::vector<std::uint32_t> waiting_peers_;  // those with queued sends
  std::size_t next_waiting_ = 0;
  std::vector<Deferred> deferred_;
  std::vector<Watched> watched_;
  std::size_t next_watched_ = 0;
};

// Exists from MPI_Init to MPI_Finalize.
inline std::unique_ptr<Engine> engine;

}  // namespace atl::p2p
