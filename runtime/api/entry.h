// What every generated entry point begins and ends with.
#pragma once

#include "runtime/comm/raise.h"
#include "runtime/core/fault.h"
#include "runtime/core/process.h"

// Functions that programs see; everything else is hidden.
#define ATL_EXPORT __attribute__((visibility("default")))

namespace atl::api {

// One call of an MPI function. At MPI_THREAD_MULTIPLE it holds the process lock
// from open() to close(); below that it takes none.
class Entry {
 public:
  explicit Entry(const char* call) : call_(call) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  // For functions that need MPI to be initialised and not finalised. Always
  // inline: the return address is that of the entry point.
  [[gnu::always_inline]] Fault open() {
    // Relaxed: see Process::enter().
    if (__builtin_expect(!process.plain.load(std::memory_order_relaxed), 0)) {
      if (Fault fault = open_with_care()) return fault;
      locked_ = process.threaded;
    }
    process.activity.call = call_;
    process.activity.site = __builtin_return_address(0);
    return {};
  }

  // For functions that may be called before MPI_Init and after MPI_Finalize.
  Fault open_anytime() {
    if (process.threaded) {
      lock();
      locked_ = true;
    }
    return {};
  }

  // Gives the fault, if there is one, to the error handler that is responsible
  // for it; `communicator` may be null. Returns what the C function returns.
  int close(Fault fault, Communicator* communicator) {
    process.activity.call = nullptr;
    if (locked_) unlock();  // before the handler, which may call MPI
    if (fault) return raise(fault, communicator, call_);
    return MPI_SUCCESS;
  }

 private:
  // Static, so that an Entry never needs an address and lives in registers.
  [[gnu::cold]] static Fault open_with_care();
  [[gnu::cold]] static void lock();
  [[gnu::cold]] static void unlock();

  const char* call_;  // "MPI_Send"
  bool locked_ = false;
};

}  // namespace atl::api
