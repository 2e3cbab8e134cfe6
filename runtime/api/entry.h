// The prologue and epilogue of every generated entry point.
#pragma once

#include <new>

#include "runtime/comm/raise.h"
#include "runtime/core/error.h"
#include "runtime/core/process.h"

// Exported functions; all other symbols are hidden.
#define ATL_EXPORT __attribute__((visibility("default")))

namespace atl::api {

// One call of an MPI function. Holds the process lock from open() to close() if several threads may
// be in MPI; otherwise takes no lock.
class Entry {
 public:
  explicit Entry(const char* call) : call_(call) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  // For functions that require MPI to be initialized and not finalized. Other functions may be
  // called at any time and do not call open(): their shared state has its own locks. Always inline,
  // so that the return address is that of the entry point.
  [[gnu::always_inline]] Error open() {
    // Relaxed: see Process::enter().
    if (__builtin_expect(!process.plain.load(std::memory_order_relaxed), 0)) {
      if (Error error = open_slow_path(call_)) return error;
      locked_ = process.threaded;
    }
    opened_ = true;
    process.activity.call = call_;
    process.activity.site = __builtin_return_address(0);
    return {};
  }

  // Passes the error, if any, to the responsible error handler through raise(), which takes
  // `responsible`. Returns what the C function returns.
  template <class... Responsible>
  int close(Error error, Responsible... responsible) {
    // Without open() the activity may be that of another thread, which holds the lock.
    if (opened_) process.activity.call = nullptr;
    if (locked_) unlock();  // before the handler, which may call MPI
    if (error) return raise(error, responsible..., call_);
    return MPI_SUCCESS;
  }

 private:
  // Static, so that an Entry needs no address and stays in registers.
  [[gnu::cold]] static Error open_slow_path(const char* call);
  [[gnu::cold]] static void lock();
  [[gnu::cold]] static void unlock();

  const char* call_;  // "MPI_Send"
  bool opened_ = false;
  bool locked_ = false;
};

// MPI_ERR_NO_MEM.
[[gnu::cold]] Error no_memory();

// Runs `call`, the implementation of an MPI function. No exception leaves the C functions: when
// memory is short the call fails.
template <class Call>
[[gnu::always_inline]] inline Error guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace atl::api
