// Rendezvous messages. Single copy: both sides copy fragments where the kernel allows it.
// Pipelined: the sender sends fragments through the ring, also after the kernel has refused to
// copy a fragment. A message to this rank itself is copied from buffer to buffer.
#include <algorithm>
#include <cerrno>

#include "base/check.h"
#include "datatype/transfer.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/limits.h"
#include "runtime/p2p/message_settings.h"

namespace atl::p2p {

// Whether single-copy calls reach that rank's process in both directions. Tried once, on a word
// that both ranks know: in another PID namespace the pid may be that of a third process.
bool Engine::reaches(std::uint32_t world_rank) {
  Peer& peer = peers_[world_rank];
  if (world_rank == process.rank) return true;
  if (peer.reach == Reach::untried) {
    shm::RankSlot& slot = segment_.slot(world_rank);
    // Relaxed: the rank stored these before its first packet or CTS, which this rank has acquired.
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

// The receiver's last access to a rendezvous record. Wakes the sender, which may wait for the
// completion or for a free record.
void Engine::acknowledge(std::uint32_t sender, std::uint32_t rendezvous) {
  segment_.rendezvous(sender, rendezvous).acknowledge();
  peers_[sender].wake();
}

void Engine::cts_pipelined(Request& receive) {
  receive.stage = Stage::pipelined;
  segment_.rendezvous(receive.peer_world, receive.rendezvous)
      .cts_pipelined(HandleTable<Request>::handle(receive), receive.bytes);
  peers_[receive.peer_world].wake();
}

// Starts the transfer of a rendezvous message that was matched: single copy or pipelined. An
// empty receive and a message from this rank itself complete here.
void Engine::send_cts(Request& receive, std::uint32_t rendezvous) {
  const std::uint32_t sender = receive.peer_world;
  shm::RendezvousRecord& record = segment_.rendezvous(sender, rendezvous);
  receive.rendezvous = rendezvous;
  if (receive.bytes == 0) {
    acknowledge(sender, rendezvous);
    complete(receive);
    return;
  }
  if (sender == process.rank) {
    const Request* const send = rendezvous_pool_.send_of(rendezvous);
    ATL_CHECK(send != nullptr && send->peer_world == sender && receive.bytes <= send->bytes,
              "a message to this rank itself names a rendezvous that is not under way");
    datatype::transfer(*receive.type, receive.buffer, *send->type, send->buffer, 0, receive.bytes);
    record.acknowledge();
    complete(receive);
    return;
  }
  if (record.source() != 0 && receive.type->is_contiguous() && reaches(sender)) {
    record.cts_single_copy(receive.type->first_byte(receive.buffer), receive.bytes,
                           single_copy_fragment(receive.bytes));
    receive.stage = Stage::single_copy;
    single_copy_receives_.push_back(receive);
    peers_[sender].wake();
  } else {
    cts_pipelined(receive);
  }
}

// Claims and copies one fragment, on either side. False when none is left or the other process is
// dead.
bool Engine::copy_fragment(shm::RendezvousRecord& rendezvous, Request& request) {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  if (!rendezvous.claim_fragment(offset, length)) return false;
  budget_ -= static_cast<std::int64_t>(length);
  ATL_CHECK(offset < request.bytes && length <= request.bytes - offset,
            "a rendezvous is longer than its message");
  bool copied = false;
  if (!rendezvous.refused()) {
    const int pid = peers_[request.peer_world].pid;
    // The request gives the address on this side; the shared record is not trusted for it.
    std::byte* own = request.type->first_byte(request.buffer) + offset;
    copied = request.kind == RequestKind::send
                 ? shm::copy_to_process(pid, rendezvous.target() + offset, own, length)
                 : shm::copy_from_process(pid, own, rendezvous.source() + offset, length);
    // The other process is dead: mpiexec ends the job and reports why. The fragment stays
    // unfinished, since an error message of this rank would only hide the cause.
    if (!copied && errno == ESRCH) return false;
    // EFAULT: this memory cannot be copied by the kernel. Any other error concerns the process.
    if (!copied && errno != EFAULT) peers_[request.peer_world].reach = Reach::refused;
  }
  if (rendezvous.finish_fragment(copied)) peers_[request.peer_world].wake();
  return true;
}

void Engine::finish_rendezvous(Request& request) {
  rendezvous_sends_.erase(rendezvous_sends_.iterator_to(request));
  complete(request);
}

bool Engine::progress_receive(Request& request) {
  shm::RendezvousRecord& rendezvous = segment_.rendezvous(request.peer_world, request.rendezvous);
  const bool worked = copy_fragment(rendezvous, request);
  if (!rendezvous.all_copied()) return worked;
  single_copy_receives_.erase(single_copy_receives_.iterator_to(request));
  if (rendezvous.failed()) {
    cts_pipelined(request);
  } else {
    acknowledge(request.peer_world, request.rendezvous);
    complete(request);
  }
  return true;
}

bool Engine::progress_send(Request& request) {
  shm::RendezvousRecord& rendezvous = rendezvous_pool_.at(request.rendezvous);
  switch (rendezvous.state()) {
    case shm::RendezvousState::received:
      rendezvous_pool_.give_back(request.rendezvous);
      finish_rendezvous(request);
      return true;
    case shm::RendezvousState::single_copy: {
      // The sender copies too only if it reaches the receiver; otherwise the receiver copies alone.
      const bool worked = reaches(request.peer_world) && copy_fragment(rendezvous, request);
      // After a refused copy the receiver calls cts_pipelined().
      if (!rendezvous.all_copied() || rendezvous.failed()) return worked;
      rendezvous_pool_.retire(request.rendezvous);
      finish_rendezvous(request);
      return true;
    }
    case shm::RendezvousState::pipelined: return send_fragments(request, rendezvous);
    default: return false;
  }
}

// Sends fragments while the ring has free space and budget_ lasts.
bool Engine::send_fragments(Request& request, shm::RendezvousRecord& rendezvous) {
  Peer& to = peers_[request.peer_world];
  const std::uint64_t total = rendezvous.bytes();
  ATL_CHECK(total <= request.bytes, "a receiver asks for more than its message has");
  const std::uint32_t limit = fragment_limit(*request.type, request.count);
  bool sent = false;
  while (request.progress < total) {
    const auto length =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(total - request.progress, limit));
    shm::Slot* slot = claim_next_fragment(to, request, length);
    if (slot == nullptr) return sent;
    PacketHeader& packet = packet_in(*slot);
    packet.kind = PacketKind::fragment;
    packet.large.cookie = rendezvous.cookie();
    packet.large.offset = request.progress;
    to.out.publish(slot);
    to.wake();
    request.progress += length;
    sent = true;
    if (budget_ <= 0 && request.progress < total) return true;
  }
  rendezvous_pool_.give_back(request.rendezvous);  // cts_pipelined() was the receiver's last access
  finish_rendezvous(request);
  return true;
}

void Engine::receive_fragment(const Peer& peer, const PacketHeader& packet,
                              std::span<const std::byte> data) {
  Request* receive = requests.find(packet.large.cookie);
  ATL_CHECK(receive != nullptr && receive->kind == RequestKind::receive &&
                receive->stage == Stage::pipelined && receive->peer_world == peer.in.sender() &&
                packet.large.offset == receive->progress &&
                data.size() <= receive->bytes - receive->progress,
            "a fragment of a message belongs to no receive");
  deliver(*receive, packet.large.offset, data);
  receive->progress += data.size();
  if (receive->progress == receive->bytes) complete(*receive);
}

}  // namespace atl::p2p
