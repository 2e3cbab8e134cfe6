// Helpers for tests with several threads or processes.
#pragma once

#include <sched.h>
#include <sys/mman.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <new>

namespace atl::shm::testing {

// Ends the test program, and all processes that it started, when the object exists for longer than
// `seconds`. Only one at a time.
class Watchdog {
 public:
  explicit Watchdog(const char* scope, unsigned seconds = 60);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
};

// Starts a process that runs `body` and exits with its result. The process is killed when this one
// ends. Not to be called while other threads run.
pid_t start(const std::function<int()>& body);

// Waits for a process and returns its exit status, or minus the signal that ended it.
int finish(pid_t process);

void kill_hard(pid_t process);  // SIGKILL, without waiting

// A T of zero bytes that processes started later share.
template <class T>
class SharedObject {
 public:
  SharedObject() {
    void* memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    object_ = static_cast<T*>(memory);
  }
  ~SharedObject() { ::munmap(object_, sizeof(T)); }
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  T* object_;
};

// A small random generator with the same numbers in every execution.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % limit);
  }

 private:
  std::uint64_t state_;
};

// Executes up to `most` iterations of an empty loop.
void dawdle(Random& random, std::uint32_t most);

// Polls, at first without a pause for a partner on another core, later with sched_yield for a
// partner that may share this core.
template <class Condition>
void poll_until(Condition condition) {
  for (int i = 0; !condition(); ++i) {
    if (i > 1000) ::sched_yield();
  }
}

}  // namespace atl::shm::testing
