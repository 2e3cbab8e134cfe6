// Large messages: both sides copy pieces where the system allows it, or the
// sender streams pieces through the ring, also when the system refuses a piece. A message to this
// very rank goes from layout to layout.
#include <algorithm>
#include <cerrno>

#include "base/check.h"
#include "datatype/transfer.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"

namespace atl::p2p {

// Whether single-copy calls reach that process both ways: tried once on a word
// that both know. In another PID namespace its pid may be that of a third process.
bool Engine::reaches(std::uint32_t world_rank) {
  Peer& peer = peers_[world_rank];
  if (world_rank == process.rank) return true;
  if (peer.reach == Reach::untried) {
    shm::RankSlot& slot = segment_.slot(world_rank);
    // Relaxed: a message or an answer of that rank came before.
    const std::uint64_t address = slot.probe_address.load_relaxed();
    const int pid = slot.pid.load_relaxed();
    const bool named = slot.pid_namespace.load_relaxed() == process.pid_namespace;
    const std::uint64_t expected = shm::probe_word(segment_.header().nonce, world_rank);
    std::uint64_t word = 0;
    const bool works = settings.single_copy && named &&
                       shm::copy_from_process(pid, &word, address, sizeof word) &&
                       word == expected && shm::copy_to_process(pid, address, &word, sizeof word);
    peer.reach = works ? Reach::works : Reach::refused;
    peer.pid = pid;
  }
  return peer.reach == Reach::works;
}

// The receiver's last word about a message. A sender may wait for the record to be free.
void Engine::answer_received(std::uint32_t sender, std::uint32_t transfer) {
  segment_.transfer(sender, transfer).answer_received();
  peers_[sender].wake();
}

void Engine::answer_streaming(Request& receive) {
  receive.stage = Stage::streaming;
  segment_.transfer(receive.peer_world, receive.transfer)
      .answer_streaming(HandleTable<Request>::handle(receive), receive.bytes);
  peers_[receive.peer_world].wake();
}

// The receive has met the offer and taken it.
void Engine::answer_offer(Request& receive, std::uint32_t transfer) {
  const std::uint32_t sender = receive.peer_world;
  shm::Transfer& offer = segment_.transfer(sender, transfer);
  receive.transfer = transfer;
  if (receive.bytes == 0) {
    answer_received(sender, transfer);
    complete(receive);
    return;
  }
  if (sender == process.rank) {
    const Request* const send = transfers_.send_of(transfer);
    ATL_CHECK(send != nullptr && send->peer_world == sender && receive.bytes <= send->bytes,
              "a message to this rank itself names a transfer that is not on offer");
    datatype::transfer(*receive.type, receive.buffer, *send->type, send->buffer, 0, receive.bytes);
    offer.answer_received();
    complete(receive);
    return;
  }
  if (offer.source() != 0 && receive.type->flat() && reaches(sender)) {
    offer.answer_copying(receive.type->run(receive.buffer), receive.bytes,
                         copied_piece(receive.bytes));
    receive.stage = Stage::copying;
    copying_.push_back(receive);
    peers_[sender].wake();
  } else {
    answer_streaming(receive);
  }
}

// Copies one piece if there is one left; either side.
bool Engine::copy_piece(shm::Transfer& transfer, Request& request) {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  if (!transfer.claim_piece(offset, length)) return false;
  budget_ -= static_cast<std::int64_t>(length);
  ATL_CHECK(offset < request.bytes && length <= request.bytes - offset,
            "a transfer is longer than its message");
  bool copied = false;
  if (!transfer.refused()) {
    const int pid = peers_[request.peer_world].pid;
    // This side's memory is where the request says, not where the record does.
    std::byte* own = request.type->run(request.buffer) + offset;
    copied = request.kind == RequestKind::send
                 ? shm::copy_to_process(pid, transfer.target() + offset, own, length)
                 : shm::copy_from_process(pid, own, transfer.source() + offset, length);
    // The other side is dead: mpiexec ends the job and says why. The piece stays
    // open, since a message of this rank would only hide the cause.
    if (!copied && errno == ESRCH) return false;
    // Some memory cannot be copied so (EFAULT). What else there is, is about the process.
    if (!copied && errno != EFAULT) peers_[request.peer_world].reach = Reach::refused;
  }
  if (transfer.finish_piece(copied)) peers_[request.peer_world].wake();
  return true;
}

void Engine::end_offer(Request& request) {
  offered_.erase(offered_.iterator_to(request));
  complete(request);
}

bool Engine::progress_receive(Request& request) {
  shm::Transfer& transfer = segment_.transfer(request.peer_world, request.transfer);
  const bool worked = copy_piece(transfer, request);
  if (!transfer.all_copied()) return worked;
  copying_.erase(copying_.iterator_to(request));
  if (transfer.failed()) {
    answer_streaming(request);
  } else {
    answer_received(request.peer_world, request.transfer);
    complete(request);
  }
  return true;
}

bool Engine::progress_send(Request& request) {
  shm::Transfer& transfer = transfers_.at(request.transfer);
  switch (transfer.state()) {
    case shm::TransferState::received:
      transfers_.give_back(request.transfer);
      end_offer(request);
      return true;
    case shm::TransferState::copying: {
      // Helping needs the same reach; without it the receiver copies alone.
      const bool worked = reaches(request.peer_world) && copy_piece(transfer, request);
      // When a copy was refused the receiver asks for a stream.
      if (!transfer.all_copied() || transfer.failed()) return worked;
      transfers_.retire(request.transfer);
      end_offer(request);
      return true;
    }
    case shm::TransferState::streaming: return stream(request, transfer);
    default: return false;
  }
}

// Sends as many pieces as the ring takes.
bool Engine::stream(Request& request, shm::Transfer& transfer) {
  Peer& to = peers_[request.peer_world];
  const std::uint64_t total = transfer.bytes();
  ATL_CHECK(total <= request.bytes, "a receiver asks for more than its message has");
  const std::uint32_t limit = piece_limit(*request.type, request.count);
  bool sent = false;
  while (request.progress < total) {
    const auto length =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(total - request.progress, limit));
    shm::Slot* slot = claim_piece(to, request, length);
    if (slot == nullptr) return sent;
    Record& record = record_in(*slot);
    record.kind = RecordKind::piece;
    record.large.cookie = transfer.cookie();
    record.large.offset = request.progress;
    to.out.publish(slot);
    to.wake();
    request.progress += length;
    sent = true;
    if (budget_ <= 0 && request.progress < total) return true;
  }
  transfers_.give_back(request.transfer);  // the receiver does not look at it again
  end_offer(request);
  return true;
}

void Engine::arrive_piece(const Peer& peer, const Record& record, std::span<const std::byte> data) {
  Request* receive = requests.find(record.large.cookie);
  ATL_CHECK(receive != nullptr && receive->kind == RequestKind::receive &&
                receive->stage == Stage::streaming && receive->peer_world == peer.in.sender() &&
                record.large.offset == receive->progress &&
                data.size() <= receive->bytes - receive->progress,
            "a piece of a message belongs to no receive");
  deliver(*receive, record.large.offset, data);
  receive->progress += data.size();
  if (receive->progress == receive->bytes) complete(*receive);
}

}  // namespace atl::p2p
