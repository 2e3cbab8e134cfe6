#include "shm/transfer.h"

#include <doctest/doctest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "shm/testing/pattern.h"
#include "shm/testing/process.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

TEST_CASE("an offer is taken once, and carries what was offered") {
  Transfer transfer{};
  int buffer = 0;
  CHECK(transfer.state() == TransferState::idle);
  CHECK_FALSE(transfer.take());
  transfer.offer(&buffer, 100);
  CHECK(transfer.state() == TransferState::offered);
  CHECK(transfer.source() == reinterpret_cast<std::uint64_t>(&buffer));
  CHECK(transfer.offered_bytes() == 100);
  CHECK(transfer.take());
  CHECK_FALSE(transfer.take());
  CHECK_FALSE(transfer.withdraw());
  transfer.answer_received();
  CHECK(transfer.state() == TransferState::received);
}

TEST_CASE("a withdrawn offer is not taken") {
  Transfer transfer{};
  transfer.offer(nullptr, 100);
  CHECK(transfer.withdraw());
  CHECK_FALSE(transfer.withdraw());
  CHECK_FALSE(transfer.take());
  CHECK(transfer.state() == TransferState::withdrawn);
}

TEST_CASE("chunks of records follow each other, each as long as all before it") {
  std::uint32_t next = 0;
  for (std::uint32_t chunk = 0; chunk < TransferChunks::kChunks; ++chunk) {
    CHECK(TransferChunks::begin_of(chunk) == next);
    CHECK(TransferChunks::chunk_of(next) == chunk);
    next += TransferChunks::length_of(chunk);
    CHECK(TransferChunks::chunk_of(next - 1) == chunk);
  }
  CHECK(next == TransferChunks::kRecords);
}

TEST_CASE("the answer says what to stream") {
  Transfer transfer{};
  transfer.offer(nullptr, 1000);
  REQUIRE(transfer.take());
  transfer.answer_streaming(0x1234567890, 900);
  CHECK(transfer.state() == TransferState::streaming);
  CHECK(transfer.cookie() == 0x1234567890);
  CHECK(transfer.bytes() == 900);
}

TEST_CASE("pieces cover the message once, the last one may be short") {
  struct Row {
    std::uint64_t bytes;
    std::uint64_t piece;
    int pieces;
  };
  const Row rows[] = {{0, 4096, 0},
                      {1, 4096, 1},
                      {4096, 4096, 1},
                      {4097, 4096, 2},
                      {3 * 4096 - 1, 4096, 3},
                      {(6ull << 30) + 5, 1ull << 30, 7}};
  Transfer transfer{};
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    transfer.offer(&transfer, row.bytes);
    REQUIRE(transfer.take());
    transfer.answer_copying(&transfer, row.bytes, row.piece);
    CHECK(transfer.state() == TransferState::copying);
    std::uint64_t next = 0;
    std::uint64_t offset;
    std::uint64_t length;
    int pieces = 0;
    CHECK(transfer.all_copied() == (row.pieces == 0));
    while (transfer.claim_piece(offset, length)) {
      CHECK(offset == next);
      CHECK(length > 0);
      next += length;
      ++pieces;
      CHECK_FALSE(transfer.all_copied());
      CHECK(transfer.finish_piece(true) == (pieces == row.pieces));
    }
    CHECK(next == row.bytes);
    CHECK(pieces == row.pieces);
    CHECK(transfer.all_copied());
    CHECK_FALSE(transfer.failed());
    transfer.answer_received();
  }
}

TEST_CASE("a refused piece makes the sender stream, and the next message starts anew") {
  Transfer transfer{};
  for (const bool copied : {false, true}) {
    transfer.offer(&transfer, 30);
    REQUIRE(transfer.take());
    transfer.answer_copying(&transfer, 30, 10);
    std::uint64_t offset;
    std::uint64_t length;
    for (int i = 0; i < 3; ++i) {
      REQUIRE(transfer.claim_piece(offset, length));
      CHECK(transfer.refused() == (i == 2 && !copied));
      transfer.finish_piece(i != 1 || copied);
    }
    CHECK(transfer.all_copied());
    CHECK(transfer.failed() == !copied);
    if (copied) {
      transfer.answer_received();
    } else {
      transfer.answer_streaming(77, 30);
      CHECK(transfer.state() == TransferState::streaming);
      CHECK(transfer.cookie() == 77);
      CHECK(transfer.bytes() == 30);
    }
  }
}

// The receiver has the offer's ring record long after the sender cancelled.
TEST_CASE("either the taker or the withdrawer wins, always one") {
  Watchdog watchdog("taker or withdrawer");
  constexpr std::uint32_t kRounds = 50000;
  Transfer transfer{};
  Shared<std::uint32_t> published{};  // stands for the ring
  Shared<std::uint32_t> taken{};
  std::thread receiver([&] {
    Random random(1);
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      testing::poll_until([&] { return published.load_acquire() >= round; });
      testing::dawdle(random, 300);
      if (transfer.take()) taken.fetch_add_relaxed(1);
      transfer.answer_received();
    }
  });
  Random random(2);
  std::uint32_t withdrawn = 0;
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    transfer.offer(&transfer, round);
    published.store_release(round);
    testing::dawdle(random, 1000);
    if (transfer.withdraw()) ++withdrawn;
    testing::poll_until([&] { return transfer.state() == TransferState::received; });
  }
  receiver.join();
  CHECK(withdrawn + taken.load_relaxed() == kRounds);
}

// One side's share of a copy.
template <class Copy>
void copy_share(Transfer& transfer, Copy copy) {
  std::uint64_t offset;
  std::uint64_t length;
  while (transfer.claim_piece(offset, length)) transfer.finish_piece(copy(offset, length));
}

TEST_CASE("two threads never claim the same piece, nor one behind the end") {
  Watchdog watchdog("never the same piece");
  constexpr std::uint32_t kRounds = 20000;
  constexpr std::uint64_t kPieces = 3;
  Transfer transfer{};
  Shared<std::uint32_t> claims[kPieces] = {};
  Shared<std::uint32_t> wrong{};
  Shared<std::uint32_t> round{};  // begun by the one side, ended by the other
  Shared<std::uint32_t> ended{};
  const auto take_part = [&] {
    copy_share(transfer, [&](std::uint64_t offset, std::uint64_t length) {
      if (offset >= kPieces || length != 1) {
        wrong.fetch_add_relaxed(1);
      } else {
        claims[offset].fetch_add_relaxed(1);
      }
      return true;
    });
  };
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= kRounds; ++i) {
      testing::poll_until([&] { return round.load_acquire() >= i; });
      take_part();
      ended.store_release(i);
    }
  });
  for (std::uint32_t i = 1; i <= kRounds; ++i) {
    transfer.offer(&transfer, kPieces);
    transfer.take();
    transfer.answer_copying(&transfer, kPieces, 1);
    round.store_release(i);
    take_part();
    testing::poll_until([&] { return ended.load_acquire() >= i; });
    if (!transfer.all_copied()) wrong.fetch_add_relaxed(1);
  }
  other.join();
  CHECK(wrong.load_relaxed() == 0);
  for (const auto& count : claims) CHECK(count.load_relaxed() == kRounds);
}

struct Exchange {
  Transfer transfer;
  Shared<std::uint32_t> round;  // stands for the ring: messages offered
  Shared<std::int32_t> pids[2];
};

constexpr std::uint32_t kMessages = 300;
constexpr std::uint64_t kMostBytes = 1 << 20;

// Offers messages of random lengths and copies its share of each.
int send_all(Exchange& exchange) {
  Random random(4);
  std::vector<std::byte> buffer(kMostBytes);
  Transfer& transfer = exchange.transfer;
  exchange.pids[0].store_release(::getpid());
  for (std::uint32_t message = 1; message <= kMessages; ++message) {
    const std::uint64_t bytes = 1 + random.below(random.below(4) == 0 ? kMostBytes - 1 : 9000);
    testing::fill(buffer.data(), bytes, message);
    transfer.offer(buffer.data(), bytes);
    exchange.round.store_release(message);
    // Not just `copying`: the receiver may have done it all by itself.
    testing::poll_until([&] { return transfer.state() >= TransferState::copying; });
    copy_share(transfer, [&](std::uint64_t offset, std::uint64_t length) {
      return copy_to_process(exchange.pids[1].load_relaxed(), transfer.target() + offset,
                             buffer.data() + offset, length);
    });
    testing::poll_until([&] { return transfer.all_copied(); });
    if (transfer.failed()) return 1;
    std::memset(buffer.data(), 0, bytes);  // the send is complete
    testing::poll_until([&] { return transfer.state() == TransferState::received; });
  }
  return 0;
}

int receive_all(Exchange& exchange) {
  Random random(5);
  std::vector<std::byte> buffer(kMostBytes);
  Transfer& transfer = exchange.transfer;
  exchange.pids[1].store_release(::getpid());
  for (std::uint32_t message = 1; message <= kMessages; ++message) {
    testing::poll_until([&] { return exchange.round.load_acquire() >= message; });
    const std::uint64_t bytes = transfer.offered_bytes();
    if (!transfer.take()) return 1;
    transfer.answer_copying(buffer.data(), bytes, 1000 + random.below(20000));
    copy_share(transfer, [&](std::uint64_t offset, std::uint64_t length) {
      return copy_from_process(exchange.pids[0].load_relaxed(), buffer.data() + offset,
                               transfer.source() + offset, length);
    });
    testing::poll_until([&] { return transfer.all_copied(); });
    if (transfer.failed()) return 2;
    if (!testing::is_filled(buffer.data(), bytes, message)) return 3;
    transfer.answer_received();
  }
  return 0;
}

TEST_CASE("two threads copy one record's messages together") {
  Watchdog watchdog("two threads copy");
  Exchange exchange{};
  int sender_status = -1;
  std::thread sender([&] { sender_status = send_all(exchange); });
  CHECK(receive_all(exchange) == 0);
  sender.join();
  CHECK(sender_status == 0);
}

// Whether this system lets processes of one user copy from each other at all.
bool single_copy_works() {
  // Where Yama restricts it to ancestors.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const pid_t parent = ::getpid();
  const pid_t child = testing::start([&] {
    int word = 0;
    return copy_from_process(parent, &word, reinterpret_cast<std::uint64_t>(&word), 4) ? 0 : 1;
  });
  const bool works = testing::finish(child) == 0;
  if (!works) MESSAGE("not tried: this system forbids copies between processes");
  return works;
}

TEST_CASE("two processes copy one record's messages together") {
  if (!single_copy_works()) return;
  Watchdog watchdog("two processes copy");
  SharedObject<Exchange> exchange;
  const pid_t sender = testing::start([&] {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    testing::poll_until([&] { return exchange->pids[1].load_acquire() != 0; });
    return send_all(*exchange);
  });
  const pid_t receiver = testing::start([&] {
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    exchange->pids[1].store_release(::getpid());
    return receive_all(*exchange);
  });
  CHECK(testing::finish(sender) == 0);
  CHECK(testing::finish(receiver) == 0);
}

TEST_CASE("copies report bad addresses and processes that are gone") {
  if (!single_copy_works()) return;
  std::byte local[64] = {};
  const pid_t child = testing::start([] {
    for (;;) ::pause();
    return 0;
  });
  const auto here = reinterpret_cast<std::uint64_t>(local);  // the child has it as well
  CHECK(copy_from_process(child, local, here, sizeof local));
  CHECK(copy_to_process(child, here, local, sizeof local));
  CHECK_FALSE(copy_from_process(child, local, 64, sizeof local));
  CHECK_FALSE(copy_to_process(child, 64, local, sizeof local));
  testing::kill_hard(child);
  testing::finish(child);
  CHECK_FALSE(copy_from_process(child, local, here, sizeof local));
  CHECK_FALSE(copy_to_process(child, here, local, sizeof local));
}

// From now on process_vm_readv and process_vm_writev fail with EPERM, as in
// many containers.
bool forbid_single_copy() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter{sizeof program / sizeof program[0], program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_CASE("where the system forbids single copies, both directions say so") {
  if (!single_copy_works()) return;
  const pid_t parent = ::getpid();
  const pid_t child = testing::start([&] {
    std::byte local[64] = {};
    const auto here = reinterpret_cast<std::uint64_t>(local);
    if (!copy_from_process(parent, local, here, 1)) return 1;
    if (!forbid_single_copy()) return 2;
    if (copy_from_process(parent, local, here, 1)) return 3;
    if (copy_to_process(parent, here, local, 1)) return 4;
    return 0;
  });
  CHECK(testing::finish(child) == 0);
}

}  // namespace
}  // namespace atl::shm
