#include "runtime/p2p/blocking.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace atl::p2p {
namespace {

constexpr int kOrphaned = 1;  // exit status of a rank whose mpiexec is gone

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

template <std::size_t N>
void copy_name(char (&to)[N], const char* from) {
  std::strncpy(to, from, N - 1);
}

}  // namespace

void before_sleep(const Awaited& awaited) {
  shm::WaitInfo info;
  copy_name(info.call, process.call);
  if (awaited.communicator != nullptr) {
    copy_name(info.communicator, awaited.communicator->label().c_str());
    const bool named = awaited.peer >= 0 && awaited.peer < awaited.communicator->peers();
    info.peer_world =
        named ? static_cast<std::int32_t>(awaited.communicator->world_rank(awaited.peer)) : -1;
  }
  info.peer = awaited.peer;
  info.tag = awaited.tag;
  info.requests = awaited.requests;
  info.bytes = awaited.bytes;
  info.since_ns = now_ns();
  process.slot().waiting.publish(info);
  if (process.threaded) {
    ++process.sleepers;
    process.lock.unlock();
  }
}

void after_sleep() {
  if (process.threaded) {
    process.lock.lock();
    --process.sleepers;
  }
  if (process.sleepers == 0) process.slot().waiting.clear();
  // mpiexec takes its children along when it dies, but not their children.
  if (process.wrapped && ::kill(process.launcher, 0) != 0 && errno == ESRCH) ::_exit(kOrphaned);
}

}  // namespace atl::p2p
