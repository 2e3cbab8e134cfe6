#include "launcher/wait_table.h"

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

// The standard ABI's values (MPI 5.0, chapter 20).
constexpr std::int32_t kAnySource = -1;
constexpr std::int32_t kAnyTag = -2;

std::string_view preposition(std::string_view call) {
  const auto has = [call](std::string_view part) { return call.find(part) != call.npos; };
  const bool sends = has("Send") || has("send");
  const bool receives = has("Recv") || has("recv") || has("Probe") || has("probe");
  return sends == receives ? "with" : sends ? "to" : "from";
}

// Calls without a partner, such as barriers, have no rank of the world either.
bool has_partner(const shm::WaitInfo& waiting) {
  return waiting.peer_world >= 0 || waiting.peer == kAnySource;
}

std::string state_text(const RankState& rank, std::int64_t now_ns) {
  if (!rank.running) return "has ended";
  if (rank.waiting) {
    const double seconds = static_cast<double>(now_ns - rank.waiting->since_ns) / 1e9;
    return fmt::format("{}, waits {:.1f} s", describe_wait(*rank.waiting), seconds);
  }
  switch (rank.life) {
    case shm::Life::launched: return "has not called MPI_Init";
    case shm::Life::initialized: return "does not wait in MPI";
    case shm::Life::finalized: return "has called MPI_Finalize";
    case shm::Life::aborted: return "has called MPI_Abort";
  }
  return "is in an unknown state";
}

}  // namespace

RankState read_state(const shm::RankSlot& slot, bool running) {
  RankState state;
  state.running = running;
  // Pairs with the rank's release store where there is one: abort_code is valid.
  state.life = static_cast<shm::Life>(slot.life.load_acquire());
  shm::WaitInfo waiting;
  if (slot.waiting.read(waiting) && waiting.call[0] != '\0') state.waiting = waiting;
  // Pairs with the store in the rank's signal handler: the text is whole.
  if (slot.crash.signal.load_acquire() != 0) state.crash = slot.crash.where;
  return state;
}

std::string describe_wait(const shm::WaitInfo& waiting) {
  const std::string_view call(waiting.call, ::strnlen(waiting.call, sizeof waiting.call));
  const std::string_view name(waiting.communicator,
                              ::strnlen(waiting.communicator, sizeof waiting.communicator));
  std::string text(call);
  if (waiting.requests > 1) text += fmt::format(" for {} requests", waiting.requests);
  if (has_partner(waiting)) {
    text += fmt::format(" {} ", preposition(call));
    text += waiting.peer == kAnySource ? "any source" : std::to_string(waiting.peer);
    text += waiting.tag == kAnyTag ? ", any tag" : fmt::format(", tag {}", waiting.tag);
  }
  if (!name.empty()) text += fmt::format(", communicator {}", name);
  return text;
}

std::string wait_table(std::span<const RankState> ranks, std::int64_t now_ns) {
  std::string table;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (rank > 0) table += '\n';
    table += fmt::format("rank {}: {}", rank, state_text(ranks[rank], now_ns));
  }
  return table;
}

}  // namespace atl::launcher
