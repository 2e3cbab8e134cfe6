#include "shm/rendezvous.h"

#include <sys/uio.h>

namespace atl::shm {

void RendezvousRecord::send_rts(const void* source, std::uint64_t bytes) {
  source_ = reinterpret_cast<std::uint64_t>(source);
  rts_bytes_ = bytes;
  // Relaxed: no other process accesses this record before the packet that names it is published,
  // and RingProducer::publish() is a release.
  claimed_.store_relaxed(0);
  finished_.store_relaxed(0);
  failed_.store_relaxed(0);
  state_.store_relaxed(static_cast<std::uint32_t>(RendezvousState::rts_sent));
}

namespace {

std::uint64_t fragments_of(std::uint64_t bytes, std::uint64_t fragment) {
  return (bytes + fragment - 1) / fragment;
}

}  // namespace

void RendezvousRecord::cts_single_copy(void* target, std::uint64_t bytes, std::uint64_t fragment) {
  ATL_DCHECK(fragment != 0);
  target_ = reinterpret_cast<std::uint64_t>(target);
  target_inverted_ = ~target_;
  bytes_ = bytes;
  fragment_ = fragment;
  fragments_ = fragments_of(bytes, fragment);
  // Pairs with state(): the stores of the fields above come before that of the state.
  state_.store_release(static_cast<std::uint32_t>(RendezvousState::single_copy));
}

void RendezvousRecord::cts_pipelined(std::uint64_t cookie, std::uint64_t bytes) {
  cookie_ = cookie;
  bytes_ = bytes;
  // Pairs with state(), as in cts_single_copy().
  state_.store_release(static_cast<std::uint32_t>(RendezvousState::pipelined));
}

bool RendezvousRecord::claim_fragment(std::uint64_t& offset, std::uint64_t& length) {
  // Relaxed: a check before the fetch_add, so that polling for the end does not bounce the line.
  if (claimed_.load_relaxed() >= fragments_) return false;
  // Relaxed: only the number matters; state_ and finished_ order the data.
  const std::uint64_t mine = claimed_.fetch_add_relaxed(1);
  if (mine >= fragments_) return false;
  const std::uint64_t bytes = bytes_;
  const std::uint64_t fragment = fragment_;
  ATL_CHECK(fragment != 0 && mine < fragments_of(bytes, fragment),
            "a fragment of a rendezvous lies outside of it");
  offset = mine * fragment;
  length = std::min(fragment, bytes - offset);
  return true;
}

bool RendezvousRecord::finish_fragment(bool copied) {
  if (!copied) failed_.store_relaxed(1);  // Relaxed: the fetch_add below orders it.
  // Pairs with all_copied(): the copied bytes and failed_ come before the count.
  return finished_.fetch_add_acq_rel(1) + 1 == fragments_;
}

namespace {

// Repeats `call`, which copies some bytes and returns how many, until all are copied.
template <class Call>
bool drive(std::byte* local, std::uint64_t remote, std::size_t bytes, Call call) {
  while (bytes > 0) {
    iovec mine{local, bytes};
    iovec theirs{reinterpret_cast<void*>(remote), bytes};
    const ssize_t moved = call(mine, theirs);
    if (moved <= 0) return false;
    local += moved;
    remote += static_cast<std::uint64_t>(moved);
    bytes -= static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

bool copy_from_process(int pid, void* to, std::uint64_t from, std::size_t bytes) {
  return drive(static_cast<std::byte*>(to), from, bytes, [pid](iovec& mine, iovec& theirs) {
    return ::process_vm_readv(pid, &mine, 1, &theirs, 1, 0);
  });
}

bool copy_to_process(int pid, std::uint64_t to, const void* from, std::size_t bytes) {
  auto* local = static_cast<std::byte*>(const_cast<void*>(from));
  return drive(local, to, bytes, [pid](iovec& mine, iovec& theirs) {
    return ::process_vm_writev(pid, &mine, 1, &theirs, 1, 0);
  });
}

}  // namespace atl::shm
