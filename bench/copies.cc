#include "bench/copies.h"

#include <sys/uio.h>

#include <cstdio>
#include <cstdlib>

namespace atl::bench {
namespace {

constexpr std::size_t kPage = 4096;

void check(ssize_t moved, std::size_t bytes) {
  if (moved == static_cast<ssize_t>(bytes)) return;
  std::perror("this system lets no process copy from another");
  std::exit(1);
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : size_(bytes), room_(bytes + 2 * kPage, std::byte{1}) {
  const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
  start_ = shm::round_up(address, kPage) + kMallocOffset - address;
}

void Buffer::own() {
  if (!owned_) std::memset(data(), 2, size_);
  owned_ = true;
}

void SystemCopy::send(Side side, std::uint64_t sequence) {
  buffer_.own();
  shared_.claimed.value.store_relaxed(0);  // Relaxed: published by the next line
  shared_.sent[side.number].post(sequence);
  if (who_ == Who::halves) write(side, buffer_.size() / 2, buffer_.size());
  std::size_t from, to;
  while (who_ == Who::pieces && claim(from, to)) write(side, from, to);
  shared_.sender_done.post(sequence);
  shared_.receiver_done.wait_for(sequence);
}

void SystemCopy::receive(Side side, std::uint64_t sequence) {
  buffer_.own();
  shared_.sent[1 - side.number].wait_for(sequence);
  if (who_ == Who::receiver) read(side, 0, buffer_.size());
  if (who_ == Who::halves) read(side, 0, buffer_.size() / 2);
  std::size_t from, to;
  while (who_ == Who::pieces && claim(from, to)) read(side, from, to);
  shared_.receiver_done.post(sequence);
  shared_.sender_done.wait_for(sequence);
}

bool SystemCopy::claim(std::size_t& from, std::size_t& to) {
  // Relaxed: only the number matters; post() and wait_for() in send() and receive() order the
  // data.
  from = shared_.claimed.value.fetch_add_relaxed(1) * piece_;
  to = std::min(from + piece_, buffer_.size());
  return from < buffer_.size();
}

void SystemCopy::read(Side side, std::size_t from, std::size_t to) {
  const iovec range{buffer_.data() + from, to - from};
  check(::process_vm_readv(side.partner, &range, 1, &range, 1, 0), to - from);
}

void SystemCopy::write(Side side, std::size_t from, std::size_t to) {
  const iovec range{buffer_.data() + from, to - from};
  check(::process_vm_writev(side.partner, &range, 1, &range, 1, 0), to - from);
}

template <class Ready, class Copy>
void RingCopy::move(int sender, Line Direction::*counter, Ready ready, Copy copy) {
  buffer_.own();
  Direction& way = shared_.direction[sender];
  std::uint64_t& done = chunks_[sender];
  std::byte* ring = way.ring + kMallocOffset;
  for (std::size_t from = 0; from < buffer_.size(); from += chunk_) {
    while (!ready(way, done)) {
    }
    copy(ring + done * chunk_ % ring_, buffer_.data() + from,
         std::min(chunk_, buffer_.size() - from));
    (way.*counter).post(++done);
  }
}

void RingCopy::send(Side side, std::uint64_t) {
  const std::uint64_t room = ring_ / chunk_;
  move(
      side.number, &Direction::filled,
      // Pairs with the receiver's post(): it has read the chunk that is overwritten now.
      [&](Direction& way, std::uint64_t done) {
        return done - way.emptied.value.load_acquire() < room;
      },
      [](std::byte* ring, std::byte* mine, std::size_t bytes) { std::memcpy(ring, mine, bytes); });
}

void RingCopy::receive(Side side, std::uint64_t) {
  move(
      1 - side.number, &Direction::emptied,
      // Pairs with the sender's post(): the chunk is complete.
      [](Direction& way, std::uint64_t done) { return way.filled.value.load_acquire() != done; },
      [](std::byte* ring, std::byte* mine, std::size_t bytes) { std::memcpy(mine, ring, bytes); });
}

double copy_out_us(std::size_t bytes) {
  struct Shared {
    Line filled, emptied;
    double best = std::numeric_limits<double>::max();
  };
  Shared& shared = make_shared_object<Shared>();
  auto* source = static_cast<std::byte*>(shared_memory(kMallocOffset + bytes)) + kMallocOffset;
  const std::uint64_t rounds = std::clamp<std::uint64_t>(160 * kMiB / bytes, 3, 500);
  run_pair([&](Side side) {
    Buffer target(bytes);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (side.number == 0) {
        std::memset(source, static_cast<int>(round), bytes);
        shared.filled.post(round);
        shared.emptied.wait_for(round);
      } else {
        shared.filled.wait_for(round);
        const double start = now_us();
        std::memcpy(target.data(), source, bytes);
        shared.best = std::min(shared.best, now_us() - start);
        shared.emptied.post(round);
      }
    }
  });
  return shared.best;
}

}  // namespace atl::bench
