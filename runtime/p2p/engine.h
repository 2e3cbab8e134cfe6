// The progress engine: the rings and the operations under way of this rank.
//
// All of it belongs to the thread that is in MPI: the one that holds the
// process lock at MPI_THREAD_MULTIPLE, the only one below that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/core/process.h"
#include "runtime/p2p/matching.h"
#include "runtime/p2p/peer.h"
#include "runtime/p2p/record.h"
#include "runtime/p2p/request.h"
#include "runtime/p2p/transfer_pool.h"

namespace atl::p2p {

class Engine {
 public:
  Engine();

  Peer& peer(std::uint32_t world_rank) { return peers_[world_rank]; }
  const std::vector<std::uint32_t>& senders() const { return senders_; }

  // Does what can be done without waiting: takes in what arrived, copies a
  // piece of each large message, sends what was queued. False when there was
  // nothing to do.
  bool poll(shm::Look look = shm::Look::quick);

  // As poll(), for the ring from one rank alone.
  bool poll_from(Peer& peer, int most = kBatch) {
    return peer.in_connected && peer.in.peek() != nullptr && drain(peer, most);
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
  bool arrive_small(const Record& record);
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
  void arrive_piece(const Record& record, std::span<const std::byte> data);
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
  bool progress_sends(shm::Look look);
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
  bool send_small(Peer& peer, Request& request);
  bool send_eager(Peer& peer, Request& request);
  bool send_offer(Peer& peer, Request& request);
  shm::Slot* claim_piece(Peer& peer, Request& request, std::uint32_t length);
  bool flush_queued();

  shm::Segment& segment_;
  std::vector<Peer> peers_;             // by rank in the job
  std::vector<std::uint32_t> senders_;  // those with a ring to here
  std::uint32_t rings_seen_ = 0;        // of RankSlot::inbound_rings
  bool offers_only_ = false;            // senders are told to keep what nobody has asked for
  bool starved_ = false;                // a ring waits for memory to keep its message
  std::uint32_t withdrawn_ = 0;         // of RankSlot::withdrawn
  TransferPool transfers_;
  RequestList offered_;                       // sends whose transfer is not finished
  RequestList copying_;                       // receives that copy pieces
  std::vector<std::uint32_t> waiting_peers_;  // those with queued sends
  std::vector<Deferred> deferred_;
  std::vector<Watched> watched_;
};

// Exists from MPI_Init to MPI_Finalize.
inline std::unique_ptr<Engine> engine;

}  // namespace atl::p2p
