// A rank that does to its slot what MPI calls do, without the library.
//
//   fake_rank WORD...    initialized, finalized: enters that part of its life
//                        abort=CODE: as MPI_Abort   reported: an error was printed
//                        return=N, signal=N: ends   wait: publishes a wait and sleeps
//                        sleep: only sleeps         shows: what the slot and header say
//                        universe: how many processes there may be
//                        survives=N: sleeps in MPI until rank N is marked as killed
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>

#include "base/clock.h"
#include "shm/segment.h"

namespace {

using atl::shm::Life;
using atl::shm::RankSlot;
using atl::shm::Segment;

void enter(RankSlot& slot, Life life) { slot.life.store_release(static_cast<std::uint32_t>(life)); }

[[noreturn]] void sleep_long() {
  for (;;) ::pause();
}

void publish_wait(RankSlot& slot) {
  atl::shm::WaitInfo info;
  std::strcpy(info.call, "MPI_Recv");
  std::strcpy(info.communicator, "MPI_COMM_WORLD");
  info.peer = info.peer_world = 1;
  info.kind = atl::shm::WaitKind::receive;
  info.tag = 7;
  info.bytes = 8;
  info.requests = 1;
  info.since_ns = atl::monotonic_ns();
  slot.waiting.publish(info);
  std::puts("waiting");
  std::fflush(stdout);
}

void show(const Segment& segment, const RankSlot& slot) {
  std::printf("size %u flags %u app %u pu %d core %d package %d\n", segment.size(),
              segment.header().flags & ~(atl::shm::kJobAsymmetricFence | atl::shm::kJobSealed),
              slot.app_number, slot.location.pu, slot.location.core, slot.location.package);
  std::fflush(stdout);
}

// As a rank that waits for a lock of rank `other`.
void survive(const Segment& segment, RankSlot& slot, int other) {
  const RankSlot& its = segment.slot(static_cast<std::uint32_t>(other));
  for (;;) {
    const std::uint32_t announcement = slot.doorbell.announce();
    atl::full_fence();  // pairs with mark_killed()
    // Relaxed: only the value is needed.
    if (its.life.load_relaxed() == static_cast<std::uint32_t>(Life::killed)) break;
    slot.doorbell.sleep(announcement, -1);
  }
  slot.doorbell.cancel_announcement();
  std::printf("rank %d is dead\n", other);
  std::fflush(stdout);
}

void obey(const std::string& word, Segment& segment, RankSlot& slot) {
  const std::string verb = word.substr(0, word.find('='));
  const int number = verb.size() < word.size() ? std::atoi(word.c_str() + verb.size() + 1) : 0;
  if (verb == "initialized") enter(slot, Life::initialized);
  if (verb == "finalized") enter(slot, Life::finalized);
  if (verb == "reported") {
    segment.state().error_reported.store_release(atl::shm::JobState::kErrorReported);
  }
  if (verb == "return") ::_exit(number);
  if (verb == "signal") ::raise(number);
  if (verb == "shows") show(segment, slot);
  if (verb == "universe") std::printf("%u\n", segment.header().cpus);
  if (verb == "survives") survive(segment, slot, number);
  if (verb == "wait") publish_wait(slot);
  if (verb == "wait" || verb == "sleep") sleep_long();
  if (verb != "abort") return;
  slot.abort_code.store_relaxed(number);
  enter(slot, Life::aborted);
  ::_exit(number);
}

}  // namespace

int main(int count, char** words) {
  const char* job = std::getenv(atl::shm::kJobVariable);
  const char* rank = std::getenv(atl::shm::kRankVariable);
  if (job == nullptr || rank == nullptr) return 99;
  auto attached = Segment::attach(job);
  if (auto* why = std::get_if<std::string>(&attached)) {
    std::fprintf(stderr, "%s\n", why->c_str());
    return 98;
  }
  auto& segment = std::get<Segment>(attached);
  RankSlot& slot = segment.slot(static_cast<std::uint32_t>(std::atoi(rank)));
  for (int i = 1; i < count; ++i) obey(words[i], segment, slot);
  return 0;
}
