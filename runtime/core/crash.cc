#include "runtime/core/crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/core/process.h"

namespace atl {
namespace {

// For faults that used up the stack; the handler needs little stack.
alignas(16) std::byte handler_stack[64 * 1024];

const void* instruction_of(const void* context) {
  [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc);
#else
  return nullptr;
#endif
}

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
  std::strncpy(to, from, N - 1);
}

void describe(const void* address, shm::CodePlace& place) {
  Dl_info found{};
  place.offset = reinterpret_cast<std::uintptr_t>(address);
  if (address == nullptr || ::dladdr(address, &found) == 0 || found.dli_fname == nullptr) return;
  place.offset -= reinterpret_cast<std::uintptr_t>(found.dli_fbase);
  // A truncated name would be that of another file.
  if (std::strlen(found.dli_fname) < sizeof place.file) copy_text(place.file, found.dli_fname);
  if (found.dli_sname != nullptr) copy_text(place.function, found.dli_sname);
}

// Adds the callers of the interrupted instruction. The frames before it are
// those of this handler.
struct Walk {
  const void* instruction;
  shm::CrashRecord* crash;
  std::uint32_t known = 1;  // frames in the record, which others might damage
  bool reached = false;
};

_Unwind_Reason_Code add_frame(_Unwind_Context* frame, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  int before_call = 0;
  const auto address = reinterpret_cast<const void*>(_Unwind_GetIPInfo(frame, &before_call));
  if (!walk.reached) {
    walk.reached = address == walk.instruction;
    return _URC_NO_REASON;
  }
  if (address == nullptr || walk.known == shm::CrashRecord::kFrames) return _URC_END_OF_STACK;
  describe(address, walk.crash->frames[walk.known]);
  // Pairs with describe_crash() in the launcher: the frame before its number.
  walk.crash->known.store_release(++walk.known);
  return _URC_NO_REASON;
}

// Runs where the program may have broken anything: touches only the crash record, its own stack
// and what dladdr and the unwinder read; allocates no memory and takes no lock of Atoll. The
// steps most likely to work come first.
void note(int signal, siginfo_t* info, void* context) {
  const bool error = info->si_code > 0;
  // A signal sent by another process: the place says nothing. abort() sends it to its own process.
  const bool own = error || (signal == SIGABRT && info->si_pid == process.pid);
  // A forked child of the rank is no rank: the place where it ends says nothing about the rank.
  if (own && ::getpid() == process.pid && process.phase != Phase::forked) {
    shm::CrashRecord& crash = process.segment->crash(process.rank);
    const void* instruction = instruction_of(context);
    if (error) crash.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (process.activity.call != nullptr) {
      copy_text(crash.call, process.activity.call);
      describe(process.activity.site, crash.site);
    }
    describe(instruction, crash.frames[0]);
    crash.known.store_relaxed(1);  // relaxed: ordered by the release store of `signal`
    // Pairs with crash_signal() in the launcher: all of the above before the number.
    crash.signal.store_release(static_cast<std::uint32_t>(signal));
    Walk walk{instruction, &crash};
    _Unwind_Backtrace(add_frame, &walk);
  }
  // The handler is removed by now (SA_RESETHAND): a faulting instruction faults again, and a
  // signal that was sent is sent again; either ends the program.
  if (!error) ::raise(signal);
}

}  // namespace

// One system call if the program has no handler of its own, as most programs have none.
void replace_default(int signal, const struct sigaction& ours) {
  struct sigaction before {};
  if (::sigaction(signal, &ours, &before) != 0) return;
  const bool own = (before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL;
  if (own) ::sigaction(signal, &before, nullptr);
}

void note_crashes() {
  stack_t before{};
  if (::sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
    const stack_t own{.ss_sp = handler_stack, .ss_flags = 0, .ss_size = sizeof handler_stack};
    ::sigaltstack(&own, nullptr);
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction ours {};
    ours.sa_sigaction = note;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    replace_default(signal, ours);
  }
}

}  // namespace atl
