#include "runtime/rma/copy_service.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>

#include "base/copy.h"
#include "base/shared.h"
#include "runtime/core/process.h"
#include "runtime/p2p/engine.h"
#include "runtime/rma/ended_ranks.h"
#include "shm/rendezvous.h"
#include "shm/waiting.h"

namespace atl::rma {
namespace {

enum class MailState : std::uint32_t { empty, requested, done, stopped };

// In the heap of the process whose thread serves it. One process at a time has a request here.
struct Mailbox {
  static constexpr std::size_t kStaged = 64 * 1024;

  Shared<std::uint32_t> user;   // rank in the job + 1 of the process that uses it; 0: none
  Shared<std::uint32_t> state;  // a MailState, on which the thread and the user sleep
  // Written by the user: one block of the thread's process.
  std::uint64_t address;
  std::uint64_t bytes;   // at most kStaged
  std::uint32_t writes;  // 1: from `data` to the block
  alignas(shm::kCacheLine) std::byte data[kStaged];
};

void sleep_on(Shared<std::uint32_t>& word, std::uint32_t value, const timespec* limit) {
  ::syscall(SYS_futex, word.address(), FUTEX_WAIT, value, limit, nullptr, 0);
}

void set_and_wake(Shared<std::uint32_t>& word, MailState state) {
  // Pairs with the load_acquire of the other side in wait_while(): the request or the data is
  // written.
  word.store_release(static_cast<std::uint32_t>(state));
  ::syscall(SYS_futex, word.address(), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// The thread's side: sleeps until there is a request. False: the service ends.
bool wait_for_request(Shared<std::uint32_t>& word) {
  for (;;) {
    // Pairs with set_and_wake().
    const auto state = static_cast<MailState>(word.load_acquire());
    if (state == MailState::requested) return true;
    if (state == MailState::stopped) return false;
    sleep_on(word, static_cast<std::uint32_t>(state), nullptr);
  }
}

// The user's side: sleeps until the copy is done. False: the process of the thread has ended.
bool wait_until_done(Shared<std::uint32_t>& word, std::uint32_t owner) {
  constexpr timespec kCheckInterval{0, 50'000'000};  // nothing wakes the user when the owner dies
  for (;;) {
    // Pairs with set_and_wake().
    if (static_cast<MailState>(word.load_acquire()) == MailState::done) return true;
    if (is_dead(owner)) return false;
    sleep_on(word, static_cast<std::uint32_t>(MailState::requested), &kCheckInterval);
  }
}

// The thread of this process.
struct Service {
  Mailbox* mailbox = nullptr;
  std::thread thread;
};
Service service;

void serve(Mailbox& mailbox) {
  while (wait_for_request(mailbox.state)) {
    auto* memory = reinterpret_cast<std::byte*>(mailbox.address);
    const std::uint64_t bytes = mailbox.bytes;
    ATL_CHECK(bytes <= Mailbox::kStaged, "a copy of %llu bytes is asked for, %zu are possible",
              static_cast<unsigned long long>(bytes), Mailbox::kStaged);
    if (mailbox.writes != 0) {
      copy_bytes(memory, mailbox.data, bytes);
    } else {
      copy_bytes(mailbox.data, memory, bytes);
    }
    set_and_wake(mailbox.state, MailState::done);
  }
}

// Asks the thread of rank `owner` for one copy. False: that process has ended.
bool request_copy(Mailbox& mailbox, std::uint32_t owner, std::uint64_t address, std::byte* memory,
                  std::size_t bytes, Direction direction) {
  mailbox.address = address;
  mailbox.bytes = bytes;
  mailbox.writes = direction == Direction::write ? 1 : 0;
  if (direction == Direction::write) copy_bytes(mailbox.data, memory, bytes);
  set_and_wake(mailbox.state, MailState::requested);
  if (!wait_until_done(mailbox.state, owner)) return false;
  if (direction == Direction::read) copy_bytes(memory, mailbox.data, bytes);
  return true;
}

// Takes the mailbox for this process. False: the process that uses it, or its owner, has ended.
bool take(Mailbox& mailbox, std::uint32_t owner) {
  const std::uint32_t me = process.rank + 1;
  for (std::uint32_t tries = 0;; ++tries) {
    std::uint32_t user = 0;
    // Pairs with the store_release in give_back(): the previous copy is complete.
    if (mailbox.user.compare_exchange_acq_rel(user, me)) return !is_dead(owner);
    ATL_CHECK(user <= process.segment->capacity(), "a mailbox for copies is used by no rank");
    if (is_dead(user - 1) || is_dead(owner)) return false;
    shm::yield_core();
  }
}

void give_back(Mailbox& mailbox) {
  // Pairs with take().
  mailbox.user.store_release(0);
}

[[gnu::cold]] Error unreachable(const WindowState& state, const Target& target, const char* why) {
  return make_error(MPI_ERR_OTHER, "the memory of rank %d of %s cannot be reached: %s",
                    state.rank_of(target), state.label().c_str(), why);
}

Error copy_by_service(WindowState& state, Target& target, std::span<const iovec> blocks,
                      std::byte* memory, Direction direction) {
  auto* mailbox = static_cast<Mailbox*>(static_cast<void*>(
      target.mailbox_offset == 0
          ? nullptr
          : process.heap->at(target.world_rank, target.mailbox_offset, sizeof(Mailbox))));
  if (mailbox == nullptr) return unreachable(state, target, "the kernel refuses to copy");
  if (!take(*mailbox, target.world_rank)) {
    return unreachable(state, target, "a process has ended during a copy");
  }
  for (const iovec& block : blocks) {
    for (std::size_t done = 0; done < block.iov_len; done += Mailbox::kStaged) {
      const std::size_t bytes = std::min(Mailbox::kStaged, block.iov_len - done);
      const std::uint64_t address = reinterpret_cast<std::uint64_t>(block.iov_base) + done;
      if (!request_copy(*mailbox, target.world_rank, address, memory, bytes, direction)) {
        return unreachable(state, target, "its process has ended");
      }
      memory += bytes;
    }
  }
  give_back(*mailbox);
  return {};
}

// One system call copies all blocks, or fewer bytes than asked for; then it is repeated for the
// rest.
Error copy_by_kernel(WindowState& state, Target& target, std::span<const iovec> blocks,
                     std::byte* memory, Direction direction) {
  // Relaxed: constant since the rank joined the job, which came before the window was made.
  const int pid = process.segment->slot(target.world_rank).pid.load_relaxed();
  std::size_t skipped = 0;  // bytes of blocks[0] that are copied
  while (!blocks.empty()) {
    iovec first = blocks[0];
    first.iov_base = static_cast<std::byte*>(first.iov_base) + skipped;
    first.iov_len -= skipped;
    const bool partial = skipped != 0;  // then this block alone
    const std::span<const iovec> now = partial ? std::span<const iovec>(&first, 1) : blocks;
    std::size_t wanted = 0;
    for (const iovec& block : now) wanted += block.iov_len;
    const iovec mine{memory, wanted};
    const ssize_t moved = direction == Direction::read
                              ? ::process_vm_readv(pid, &mine, 1, now.data(), now.size(), 0)
                              : ::process_vm_writev(pid, &mine, 1, now.data(), now.size(), 0);
    if (moved < 0) return unreachable(state, target, std::strerror(errno));
    if (moved == 0) return unreachable(state, target, "nothing is mapped there");
    memory += moved;
    skipped += static_cast<std::size_t>(moved);
    while (!blocks.empty() && skipped >= blocks[0].iov_len) {
      skipped -= blocks[0].iov_len;
      blocks = blocks.subspan(1);
    }
  }
  return {};
}

}  // namespace

bool reaches_all(const Communicator& comm) {
  for (int rank = 0; rank < comm.size(); ++rank) {
    if (!p2p::engine->reaches(comm.world_rank(rank))) return false;
  }
  return true;
}

Error start_copy_service(std::uint64_t& mailbox_offset) {
  if (service.mailbox == nullptr) {
    void* memory = process.heap->allocate(sizeof(Mailbox), shm::kCacheLine);
    if (memory == nullptr) return make_error(MPI_ERR_NO_MEM, "no memory for copies of other ranks");
    service.mailbox = static_cast<Mailbox*>(memory);
    std::memset(memory, 0, offsetof(Mailbox, data));
    // Signals are for the program's own threads.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    service.thread = std::thread([] { serve(*service.mailbox); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  mailbox_offset = process.heap->offset_of(service.mailbox);
  return {};
}

void stop_copy_service() {
  if (service.mailbox == nullptr) return;
  set_and_wake(service.mailbox->state, MailState::stopped);
  service.thread.join();
  process.heap->free(service.mailbox);
  service.mailbox = nullptr;
}

Error copy_blocks(WindowState& state, Target& target, std::span<const iovec> blocks,
                  std::byte* memory, Direction direction) {
  if (p2p::engine->reaches(target.world_rank)) {
    return copy_by_kernel(state, target, blocks, memory, direction);
  }
  return copy_by_service(state, target, blocks, memory, direction);
}

}  // namespace atl::rma
