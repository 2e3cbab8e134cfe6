#include "runtime/core/crash.h"

#include <dlfcn.h>
#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "runtime/core/process.h"

namespace atl {
namespace {

// For faults that used up the stack; the handler needs little.
alignas(16) std::byte handler_stack[32 * 1024];

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

// Runs where the program may have broken anything: touches the slot, its own
// stack and what dladdr reads, no memory allocation, no lock of ours.
void note(int signal, siginfo_t* info, void* context) {
  shm::CrashRecord& crash = process.slot().crash;
  if (info->si_code <= 0) {  // sent, not a fault: it says nothing of the place
    ::raise(signal);
    return;
  }
  const void* instruction = instruction_of(context);
  Dl_info place{};
  if (instruction != nullptr && ::dladdr(instruction, &place) != 0 && place.dli_fname != nullptr) {
    const auto offset = reinterpret_cast<std::uintptr_t>(instruction) -
                        reinterpret_cast<std::uintptr_t>(place.dli_fbase);
    const char* slash = std::strrchr(place.dli_fname, '/');
    std::snprintf(crash.where, sizeof crash.where, "at address %p, in %s (%s+0x%zx)", info->si_addr,
                  place.dli_sname != nullptr ? place.dli_sname : "the program",
                  slash != nullptr ? slash + 1 : place.dli_fname, offset);
  } else {
    std::snprintf(crash.where, sizeof crash.where, "at address %p, instruction %p", info->si_addr,
                  instruction);
  }
  // Pairs with the launcher's acquire: the text before the number.
  crash.signal.store_release(static_cast<std::uint32_t>(signal));
  // The handler is gone by now (SA_RESETHAND): the instruction faults again and
  // ends the program.
}

}  // namespace

void note_crashes() {
  stack_t before{};
  if (::sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
    const stack_t own{.ss_sp = handler_stack, .ss_flags = 0, .ss_size = sizeof handler_stack};
    ::sigaltstack(&own, nullptr);
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction current {};
    if (::sigaction(signal, nullptr, &current) != 0 || (current.sa_flags & SA_SIGINFO) != 0 ||
        current.sa_handler != SIG_DFL) {
      continue;  // the program has its own way
    }
    struct sigaction ours {};
    ours.sa_sigaction = note;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace atl
