#include "launcher/diagnose/rank_activity.h"

#include <sys/uio.h>

#include <cstdint>

#include "launcher/base/text.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

// The number of bytes read, -1 when the system refuses.
ssize_t read_memory(pid_t process, std::uint64_t address, void* into, std::size_t bytes) {
  const iovec here{into, bytes};
  const iovec there{reinterpret_cast<void*>(address), bytes};
  return ::process_vm_readv(process, &here, 1, &there, 1, 0);
}

}  // namespace

std::optional<shm::Activity> read_activity(const shm::RankSlot& slot) {
  // Pairs with the stores of `life` in attach() and set_life(). Pid and address are stored after
  // attach(), so they may still be 0.
  if (!shm::in_mpi(static_cast<shm::Life>(slot.life.load_acquire()))) return {};
  const pid_t process = rank_process(slot);
  const std::uint64_t address = slot.activity_address.load_relaxed();  // Relaxed: 0 or final
  shm::Activity activity;
  if (process == 0 || address == 0 ||
      read_memory(process, address, &activity, sizeof activity) != sizeof activity) {
    return {};
  }
  return activity;
}

std::string current_call(const shm::RankSlot& slot) {
  const auto activity = read_activity(slot);
  if (!activity || activity->call == nullptr) return {};
  char name[sizeof shm::WaitInfo::call] = {};
  // The name is a constant of the library; readable memory may end right behind it.
  const ssize_t bytes = read_memory(
      rank_process(slot), reinterpret_cast<std::uint64_t>(activity->call), name, sizeof name - 1);
  const std::string call = bytes > 0 ? text_of(name) : "";
  return is_name(call) ? call : "";
}

}  // namespace atl::launcher
