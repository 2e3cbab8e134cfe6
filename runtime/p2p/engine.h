// The progress engine: this rank's rings and its outstanding point-to-point operations.
//
// Only the thread that is in MPI uses it: the holder of the process lock at MPI_THREAD_MULTIPLE,
// the only MPI thread at the lower levels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "runtime/core/process.h"
#include "runtime/p2p/inbound_rings.h"
#include "runtime/p2p/matching.h"
#include "runtime/p2p/packet.h"
#include "runtime/p2p/peer.h"
#include "runtime/p2p/rendezvous_pool.h"
#include "runtime/p2p/request.h"

namespace atl::p2p {

class Engine {
 public:
  Engine();

  Peer& peer(std::uint32_t world_rank) {
    ATL_DCHECK(world_rank < peers_.size());
    return peers_[world_rank];
  }
  InboundRings& rings() { return rings_; }

  // Makes the progress that is possible without blocking: receives packets, copies fragments of
  // large messages, sends queued messages. Each of these is limited to about kPollBytes. False
  // when there was nothing to do; PollMode::fast may leave rings and operations to later polls.
  bool poll(shm::PollMode mode = shm::PollMode::fast) { return poll(mode, kBatch, nullptr); }

  // As poll(), for the ring from one rank only.
  bool poll_from(Peer& peer, int most = kBatch) {
    if (!peer.in_connected || peer.in.peek() == nullptr) return false;
    budget_ = kPollBytes;
    return drain(peer, most);
  }

  // For calls that may complete without a poll: every kCallsPerPoll-th of them polls
  // nevertheless, because a program whose calls never block must still progress the other
  // operations that it has started and that other ranks wait for (MPI 5.0, 2.4.2 and 3.5). `by`
  // is the sender whose message the call received: the call has read its ring, so the poll skips
  // that ring.
  void poll_now_and_then(const Peer* by = nullptr) {
    if (__builtin_expect(--calls_until_poll_ == 0, 0)) poll_beside(by);
  }

  // For a caller that polls only the ring from which it expects its message: whether to poll
  // everything this time.
  bool full_poll_due() {
    constexpr std::uint32_t kNearPolls = 8;  // per poll of everything
    return ++near_polls_ % kNearPolls == 0;
  }

  // Deferred callback, run at the end of poll(). It may start operations but must not block.
  void defer(void (*run)(void*), void* argument) { deferred_.push_back({run, argument}); }

  // A callback by which poll() progresses another layer's operation on shared memory. A fast poll
  // calls at most kMostProgressed callbacks. It returns true when it made progress. It may start
  // operations but must not block, and it may have removed itself when it returns true.
  void add_progress_callback(bool (*progress)(void*, shm::PollMode), void* argument) {
    callbacks_.push_back({progress, argument});
  }
  void remove_progress_callback(void* argument) {
    std::erase_if(callbacks_,
                  [=](const ProgressCallback& one) { return one.argument == argument; });
  }

  // Whether the kernel copies between this process and that rank, in both directions.
  bool reaches(std::uint32_t world_rank);

  // Creates the ring from this rank to `world_rank`, unless it exists.
  Error connect(std::uint32_t world_rank);
  // Sends the message now or queues it; polls then complete `request`.
  void start_send(Request& request);
  bool cancel_send(Request& request);

  // The unexpected message that matches a receive or probe, or null. Acknowledges and discards
  // the cancelled messages before it.
  Unexpected* find_message(MatchContext& context, std::int32_t source, std::int32_t tag);
  // Matches an unexpected message or posts the receive.
  void start_receive(Request& request) {
    MatchContext& context = contexts.get(request.context);
    if (__builtin_expect(context.none_unexpected(), 1)) {
      context.post(request);
    } else {
      match_or_post(context, request);
    }
  }
  bool cancel_receive(Request& request);
  // Commits this rank to receive a message that was taken out of the unexpected queue. False when
  // its sender cancelled it before.
  bool accept(const Unexpected& message) {
    return message.rendezvous == kNoRendezvous || match_rts(message.sender, message.rendezvous);
  }
  // Receives an accepted unexpected message.
  void receive_message(Request& request, std::unique_ptr<Unexpected> message);

  // Updates the counter of the call that waits for several requests including this one, if any.
  static void count_down(Request& request) {
    if (__builtin_expect(request.counter != nullptr, 0)) count_down_slowly(request);
  }

  // Marks the request as complete, and frees it if it is detached.
  void complete(Request& request, Error error = {});

  MatchContexts contexts;
  // Discards the matching state of a context that this rank has released.
  void drop(shm::ContextId context);

  // True when no outstanding operation of this rank is one that another rank waits for.
  bool idle() const {
    return rendezvous_sends_.empty() && single_copy_receives_.empty() && waiting_peers_.empty();
  }

 private:
  // Wakes the other threads of this process that sleep in MPI: they check their requests and
  // messages again.
  void wake_sleepers() {
    if (__builtin_expect(process.sleepers != 0, 0)) process.slot().doorbell.ring();
  }

  // Packets received from one ring before the next ring is polled.
  static constexpr int kBatch = 32;
  // The same for a poll by a call that does not need it (poll_now_and_then()): the next calls
  // might receive these messages faster without the engine.
  static constexpr int kFewRecords = 4;
  static constexpr std::uint32_t kCallsPerPoll = 128;  // calls that complete without polling
  // Bytes that a poll copies out of the rings, and again for each of the two lists of large
  // messages and for the queued sends. The last fragment may exceed the limit.
  static constexpr std::int64_t kPollBytes = 512 * 1024;
  // Operations of a list that a fast poll asks for progress.
  static constexpr std::size_t kMostProgressed = 32;

  bool poll(shm::PollMode mode, int most, const Peer* except);
  [[gnu::noinline]] void poll_beside(const Peer* by) { poll(shm::PollMode::fast, kFewRecords, by); }
  template <class Progress>
  bool progress_some(RequestList& list, shm::PollMode mode, Progress progress);

  struct Deferred {
    void (*run)(void*);
    void* argument;
  };
  void run_deferred();

  struct ProgressCallback {
    bool (*progress)(void*, shm::PollMode);
    void* argument;
  };
  bool run_progress_callbacks(shm::PollMode mode);

  // Receiving (engine_receive.cc).
  void find_new_rings();
  bool drain(Peer& peer, int most = kBatch);
  bool receive_at_once(const Peer& peer, const PacketHeader& packet);
  // The next three return false, with nothing changed, when there is no memory for the message.
  bool dispatch_packet(Peer& peer, const PacketHeader& packet);
  bool receive_packet(Peer& peer, const PacketHeader& packet, std::span<const std::byte> data,
                      std::uint64_t bytes);
  bool enqueue_unexpected(Peer& peer, MatchContext& context, const PacketHeader& packet,
                          std::span<const std::byte> data, std::uint64_t bytes);
  bool retry_unexpected();
  void limit_unexpected();
  void drop_cancelled();
  void receive_continuation(Peer& peer, std::span<const std::byte> data);
  void receive_fragment(const Peer& peer, const PacketHeader& packet,
                        std::span<const std::byte> data);
  [[gnu::noinline]] static void count_down_slowly(Request& request);
  // Runs the completion callback of a detached request and frees it.
  [[gnu::noinline]] void end_detached(Request& request);
  void match_or_post(MatchContext& context, Request& request);
  void deliver(Request& receive, std::uint64_t start, std::span<const std::byte> data);
  void match(Request& receive, std::uint32_t sender, std::int32_t source, std::int32_t tag,
             std::uint64_t bytes, datatype::Signature signature);
  bool match_rts(std::uint32_t sender, std::uint32_t rendezvous);
  bool acknowledge_cancelled(std::uint32_t sender, std::uint32_t rendezvous);
  bool acknowledge_cancelled(const Unexpected& message);

  // Large messages (engine_rendezvous.cc).
  void send_cts(Request& receive, std::uint32_t rendezvous);
  void acknowledge(std::uint32_t sender, std::uint32_t rendezvous);
  void cts_pipelined(Request& receive);
  bool progress_send(Request& request);
  bool progress_receive(Request& request);
  void finish_rendezvous(Request& request);
  bool copy_fragment(shm::RendezvousRecord& rendezvous, Request& request);
  bool send_fragments(Request& request, shm::RendezvousRecord& rendezvous);

  // Sending (engine_send.cc).
  bool try_send(Request& request);
  bool uses_rendezvous(Peer& peer, const Request& request);
  bool fails_without_records(Request& request);
  bool take_rendezvous(Request& request, bool rts);
  void retire_cancelled(const Request& request);
  bool send_eager(Peer& peer, Request& request);
  bool send_rts(Peer& peer, Request& request);
  shm::Slot* claim_next_fragment(Peer& peer, Request& request, std::uint32_t length);
  bool flush_queued();
  bool flush(Peer& peer);

  shm::Segment& segment_;
  std::vector<Peer> peers_;       // by rank in the job
  InboundRings rings_;            // by their senders
  std::uint32_t rings_seen_ = 0;  // RankSlot::inbound_rings when last read
  std::int64_t budget_ = 0;       // bytes that this part of a poll may still copy
  std::uint32_t calls_until_poll_ = kCallsPerPoll;
  std::uint32_t near_polls_ = 0;
  bool rendezvous_only_ = false;      // senders are told not to send eagerly
  bool out_of_memory_ = false;        // a packet stays in its ring for lack of memory
  std::uint32_t cancelled_seen_ = 0;  // RankSlot::cancelled at the last search
  RendezvousPool rendezvous_pool_;
  RequestList rendezvous_sends_;              // sends whose rendezvous is not finished
  RequestList single_copy_receives_;          // receives that copy fragments
  std::vector<std::uint32_t> waiting_peers_;  // world ranks with queued sends
  std::size_t next_waiting_ = 0;
  std::vector<Deferred> deferred_;
  std::vector<ProgressCallback> callbacks_;
  std::size_t next_callback_ = 0;
};

// Exists from the first MPI_Init or MPI_Session_init to the end of the process.
inline std::unique_ptr<Engine> engine;

}  // namespace atl::p2p
