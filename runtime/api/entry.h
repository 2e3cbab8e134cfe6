// What every generated entry point begins and ends with.
#pragma once

#include <new>

#include "runtime/comm/raise.h"
#include "runtime/core/fault.h"
#include "runtime/core/process.h"

// Functions that programs see; everything else is hidden.
#define ATL_EXPORT __attribute__((visibility("default")))

namespace atl::api {

// One call of an MPI function. Where several threads may be in MPI it holds the
// process lock from open() to close(); elsewhere it takes none.
class Entry {
 public:
  explicit Entry(const char* call) : call_(call) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  // For functions that need MPI to be initialised and not finalised. Others, which
  // may be called at any time, share nothing that has no lock of its own. Always
  // inline: the return address is that of the entry point.
  [[gnu::always_inline]] Fault open() {
    // Relaxed: see Process::enter().
    if (__builtin_expect(!process.plain.load(std::memory_order_relaxed), 0)) {
      if (Fault fault = open_with_care(call_)) return fault;
      locked_ = process.threaded;
    }
    opened_ = true;
    process.activity.call = call_;
    process.activity.site = __builtin_return_address(0);
    return {};
  }

  // Gives the fault, if there is one, to the error handler that is responsible
  // for it, by what raise() takes. Returns what the C function returns.
  template <class... Responsible>
  int close(Fault fault, Responsible... responsible) {
    // Without open() the activity is that of another thread, which has the lock.
    if (opened_) process.activity.call = nullptr;
    if (locked_) unlock();  // before the handler, which may call MPI
    if (fault) return raise(fault, responsible..., call_);
    return MPI_SUCCESS;
  }

 private:
  // Static, so that an Entry never needs an address and lives in registers.
  [[gnu::cold]] static Fault open_with_care(const char* call);
  [[gnu::cold]] static void lock();
  [[gnu::cold]] static void unlock();

  const char* call_;  // "MPI_Send"
  bool opened_ = false;
  bool locked_ = false;
};

// MPI_ERR_NO_MEM.
[[gnu::cold]] Fault no_memory();

// What `call`, the implementation of an MPI function, returns. Nothing is thrown through the C
// functions: when memory is short the call fails.
template <class Call>
[[gnu::always_inline]] inline Fault guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace atl::api
