#include "shm/transfer.h"

#include <sys/uio.h>

namespace atl::shm {

void Transfer::offer(const void* source, std::uint64_t bytes) {
  source_ = reinterpret_cast<std::uint64_t>(source);
  offered_ = bytes;
  // Relaxed: the ring's publish of the record that names this transfer is a
  // release, and nobody else looks before.
  claimed_.store_relaxed(0);
  finished_.store_relaxed(0);
  failed_.store_relaxed(0);
  state_.store_relaxed(static_cast<std::uint32_t>(TransferState::offered));
}

namespace {

std::uint64_t pieces_of(std::uint64_t bytes, std::uint64_t piece) {
  return (bytes + piece - 1) / piece;
}

}  // namespace

void Transfer::answer_copying(void* target, std::uint64_t bytes, std::uint64_t piece) {
  ATL_DCHECK(piece != 0);
  target_ = reinterpret_cast<std::uint64_t>(target);
  target_inverted_ = ~target_;
  bytes_ = bytes;
  piece_ = piece;
  pieces_ = pieces_of(bytes, piece);
  // Pairs with state(): the fields above before the state that makes them valid.
  state_.store_release(static_cast<std::uint32_t>(TransferState::copying));
}

void Transfer::answer_streaming(std::uint64_t cookie, std::uint64_t bytes) {
  cookie_ = cookie;
  bytes_ = bytes;
  // Pairs with state(), as above.
  state_.store_release(static_cast<std::uint32_t>(TransferState::streaming));
}

bool Transfer::claim_piece(std::uint64_t& offset, std::uint64_t& length) {
  // Look before adding, so that polling for the end does not bounce the line.
  if (claimed_.load_relaxed() >= pieces_) return false;
  // Relaxed: only the number matters; the data is ordered by state and finished_.
  const std::uint64_t mine = claimed_.fetch_add_relaxed(1);
  if (mine >= pieces_) return false;
  const std::uint64_t bytes = bytes_;
  const std::uint64_t piece = piece_;
  ATL_CHECK(piece != 0 && mine < pieces_of(bytes, piece),
            "a piece of a transfer lies outside of it");
  offset = mine * piece;
  length = std::min(piece, bytes - offset);
  return true;
}

bool Transfer::finish_piece(bool copied) {
  if (!copied) failed_.store_relaxed(1);  // ordered by the next line
  // Pairs with all_copied(): the copied bytes and failed_ before the count.
  return finished_.fetch_add_acq_rel(1) + 1 == pieces_;
}

namespace {

// Drives `call`, which moves some bytes and returns how many, to the end.
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
