#include "shm/rendezvous.h"

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

#include "shm/testing/child_process.h"
#include "shm/testing/pattern.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

TEST_CASE("a message is matched once, with the fields of its RTS") {
  RendezvousRecord rendezvous{};
  int buffer = 0;
  CHECK(rendezvous.state() == RendezvousState::idle);
  CHECK_FALSE(rendezvous.match());
  rendezvous.send_rts(&buffer, 100);
  CHECK(rendezvous.state() == RendezvousState::rts_sent);
  CHECK(rendezvous.source() == reinterpret_cast<std::uint64_t>(&buffer));
  CHECK(rendezvous.rts_bytes() == 100);
  CHECK(rendezvous.match());
  CHECK_FALSE(rendezvous.match());
  CHECK_FALSE(rendezvous.cancel());
  rendezvous.acknowledge();
  CHECK(rendezvous.state() == RendezvousState::received);
}

TEST_CASE("a cancelled message is not matched") {
  RendezvousRecord rendezvous{};
  rendezvous.send_rts(nullptr, 100);
  CHECK(rendezvous.cancel());
  CHECK_FALSE(rendezvous.cancel());
  CHECK_FALSE(rendezvous.match());
  CHECK(rendezvous.state() == RendezvousState::cancelled);
}

TEST_CASE("chunks of records follow each other, each as long as all before it") {
  std::uint32_t next = 0;
  for (std::uint32_t chunk = 0; chunk < RendezvousChunks::kChunks; ++chunk) {
    CHECK(RendezvousChunks::begin_of(chunk) == next);
    CHECK(RendezvousChunks::chunk_of(next) == chunk);
    next += RendezvousChunks::length_of(chunk);
    CHECK(RendezvousChunks::chunk_of(next - 1) == chunk);
  }
  CHECK(next == RendezvousChunks::kRecords);
}

TEST_CASE("the CTS says what to send through the ring") {
  RendezvousRecord rendezvous{};
  rendezvous.send_rts(nullptr, 1000);
  REQUIRE(rendezvous.match());
  rendezvous.cts_pipelined(0x1234567890, 900);
  CHECK(rendezvous.state() == RendezvousState::pipelined);
  CHECK(rendezvous.cookie() == 0x1234567890);
  CHECK(rendezvous.bytes() == 900);
}

TEST_CASE("fragments cover the message once, the last one may be short") {
  struct Row {
    std::uint64_t bytes;
    std::uint64_t fragment;
    int fragments;
  };
  const Row rows[] = {{0, 4096, 0},
                      {1, 4096, 1},
                      {4096, 4096, 1},
                      {4097, 4096, 2},
                      {3 * 4096 - 1, 4096, 3},
                      {(6ull << 30) + 5, 1ull << 30, 7}};
  RendezvousRecord rendezvous{};
  for (const Row& row : rows) {
    CAPTURE(row.bytes);
    rendezvous.send_rts(&rendezvous, row.bytes);
    REQUIRE(rendezvous.match());
    rendezvous.cts_single_copy(&rendezvous, row.bytes, row.fragment);
    CHECK(rendezvous.state() == RendezvousState::single_copy);
    std::uint64_t next = 0;
    std::uint64_t offset;
    std::uint64_t length;
    int fragments = 0;
    CHECK(rendezvous.all_copied() == (row.fragments == 0));
    while (rendezvous.claim_fragment(offset, length)) {
      CHECK(offset == next);
      CHECK(length > 0);
      next += length;
      ++fragments;
      CHECK_FALSE(rendezvous.all_copied());
      CHECK(rendezvous.finish_fragment(true) == (fragments == row.fragments));
    }
    CHECK(next == row.bytes);
    CHECK(fragments == row.fragments);
    CHECK(rendezvous.all_copied());
    CHECK_FALSE(rendezvous.failed());
    rendezvous.acknowledge();
  }
}

TEST_CASE("a refused fragment makes the sender use the ring, and the next message starts anew") {
  RendezvousRecord rendezvous{};
  for (const bool copied : {false, true}) {
    rendezvous.send_rts(&rendezvous, 30);
    REQUIRE(rendezvous.match());
    rendezvous.cts_single_copy(&rendezvous, 30, 10);
    std::uint64_t offset;
    std::uint64_t length;
    for (int i = 0; i < 3; ++i) {
      REQUIRE(rendezvous.claim_fragment(offset, length));
      CHECK(rendezvous.refused() == (i == 2 && !copied));
      rendezvous.finish_fragment(i != 1 || copied);
    }
    CHECK(rendezvous.all_copied());
    CHECK(rendezvous.failed() == !copied);
    if (copied) {
      rendezvous.acknowledge();
    } else {
      rendezvous.cts_pipelined(77, 30);
      CHECK(rendezvous.state() == RendezvousState::pipelined);
      CHECK(rendezvous.cookie() == 77);
      CHECK(rendezvous.bytes() == 30);
    }
  }
}

// The receiver may read the packet that names the message long after the sender has cancelled.
TEST_CASE("exactly one of match and cancel succeeds") {
  Watchdog watchdog("taker or withdrawer");
  constexpr std::uint32_t kRounds = 50000;
  RendezvousRecord rendezvous{};
  Shared<std::uint32_t> published{};  // stands for the ring
  Shared<std::uint32_t> taken{};
  std::thread receiver([&] {
    Random random(1);
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      testing::poll_until([&] { return published.load_acquire() >= round; });
      testing::dawdle(random, 300);
      if (rendezvous.match()) taken.fetch_add_relaxed(1);
      rendezvous.acknowledge();
    }
  });
  Random random(2);
  std::uint32_t cancelled = 0;
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    rendezvous.send_rts(&rendezvous, round);
    published.store_release(round);
    testing::dawdle(random, 1000);
    if (rendezvous.cancel()) ++cancelled;
    testing::poll_until([&] { return rendezvous.state() == RendezvousState::received; });
  }
  receiver.join();
  CHECK(cancelled + taken.load_relaxed() == kRounds);
}

// Copies fragments until none is left to claim.
template <class Copy>
void copy_share(RendezvousRecord& rendezvous, Copy copy) {
  std::uint64_t offset;
  std::uint64_t length;
  while (rendezvous.claim_fragment(offset, length))
    rendezvous.finish_fragment(copy(offset, length));
}

TEST_CASE("two threads never claim the same fragment, nor one beyond the end") {
  Watchdog watchdog("never the same fragment");
  constexpr std::uint32_t kRounds = 20000;
  constexpr std::uint64_t kFragments = 3;
  RendezvousRecord rendezvous{};
  Shared<std::uint32_t> claims[kFragments] = {};
  Shared<std::uint32_t> wrong{};
  Shared<std::uint32_t> round{};  // started by one side, ended by the other
  Shared<std::uint32_t> ended{};
  const auto take_part = [&] {
    copy_share(rendezvous, [&](std::uint64_t offset, std::uint64_t length) {
      if (offset >= kFragments || length != 1) {
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
    rendezvous.send_rts(&rendezvous, kFragments);
    rendezvous.match();
    rendezvous.cts_single_copy(&rendezvous, kFragments, 1);
    round.store_release(i);
    take_part();
    testing::poll_until([&] { return ended.load_acquire() >= i; });
    if (!rendezvous.all_copied()) wrong.fetch_add_relaxed(1);
  }
  other.join();
  CHECK(wrong.load_relaxed() == 0);
  for (const auto& count : claims) CHECK(count.load_relaxed() == kRounds);
}

struct Exchange {
  RendezvousRecord rendezvous;
  Shared<std::uint32_t> round;  // stands for the ring: RTS sent so far
  Shared<std::int32_t> pids[2];
};

constexpr std::uint32_t kMessages = 300;
constexpr std::uint64_t kMostBytes = 1 << 20;

// Sends the RTS of messages of random lengths and copies fragments of each.
int send_all(Exchange& exchange) {
  Random random(4);
  std::vector<std::byte> buffer(kMostBytes);
  RendezvousRecord& rendezvous = exchange.rendezvous;
  exchange.pids[0].store_release(::getpid());
  for (std::uint32_t message = 1; message <= kMessages; ++message) {
    const std::uint64_t bytes = 1 + random.below(random.below(4) == 0 ? kMostBytes - 1 : 9000);
    testing::fill(buffer.data(), bytes, message);
    rendezvous.send_rts(buffer.data(), bytes);
    exchange.round.store_release(message);
    // Not only `single_copy`: the receiver may have copied everything already.
    testing::poll_until([&] { return rendezvous.state() >= RendezvousState::single_copy; });
    copy_share(rendezvous, [&](std::uint64_t offset, std::uint64_t length) {
      return copy_to_process(exchange.pids[1].load_relaxed(), rendezvous.target() + offset,
                             buffer.data() + offset, length);
    });
    testing::poll_until([&] { return rendezvous.all_copied(); });
    if (rendezvous.failed()) return 1;
    std::memset(buffer.data(), 0, bytes);  // the send is complete
    testing::poll_until([&] { return rendezvous.state() == RendezvousState::received; });
  }
  return 0;
}

int receive_all(Exchange& exchange) {
  Random random(5);
  std::vector<std::byte> buffer(kMostBytes);
  RendezvousRecord& rendezvous = exchange.rendezvous;
  exchange.pids[1].store_release(::getpid());
  for (std::uint32_t message = 1; message <= kMessages; ++message) {
    testing::poll_until([&] { return exchange.round.load_acquire() >= message; });
    const std::uint64_t bytes = rendezvous.rts_bytes();
    if (!rendezvous.match()) return 1;
    rendezvous.cts_single_copy(buffer.data(), bytes, 1000 + random.below(20000));
    copy_share(rendezvous, [&](std::uint64_t offset, std::uint64_t length) {
      return copy_from_process(exchange.pids[0].load_relaxed(), buffer.data() + offset,
                               rendezvous.source() + offset, length);
    });
    testing::poll_until([&] { return rendezvous.all_copied(); });
    if (rendezvous.failed()) return 2;
    if (!testing::is_filled(buffer.data(), bytes, message)) return 3;
    rendezvous.acknowledge();
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

// Whether this system permits single copies between processes of one user.
bool single_copy_works() {
  // For systems where Yama restricts them to ancestors.
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
  const auto here = reinterpret_cast<std::uint64_t>(local);  // the same address in the child
  CHECK(copy_from_process(child, local, here, sizeof local));
  CHECK(copy_to_process(child, here, local, sizeof local));
  CHECK_FALSE(copy_from_process(child, local, 64, sizeof local));
  CHECK_FALSE(copy_to_process(child, 64, local, sizeof local));
  testing::kill_hard(child);
  testing::finish(child);
  CHECK_FALSE(copy_from_process(child, local, here, sizeof local));
  CHECK_FALSE(copy_to_process(child, here, local, sizeof local));
}

// Makes process_vm_readv and process_vm_writev fail with EPERM, as in many containers.
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
