#include "launcher/diagnose/rank_states.h"

#include <poll.h>

#include <chrono>
#include <string>

#include "launcher/base/processes.h"
#include "launcher/diagnose/rank_activity.h"
#include "launcher/diagnose/records.h"
#include "launcher/diagnose/source_location.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);  // a reply takes microseconds on idle cores
constexpr int kCheckInterval = 1;                    // milliseconds

// Asks a rank for a report. Returns the number of the question.
std::uint32_t ask(shm::RankSlot& slot) {
  // full_fence() pairs with sleeper_fence() of a rank that goes to sleep: the rank sees the
  // question, or ring() sees its announcement. The acq_rel of fetch_add has no partner.
  const std::uint32_t question = slot.question.fetch_add_acq_rel(1) + 1;
  full_fence();
  slot.doorbell.ring();
  return question;
}

// Waits until all asked ranks have replied, at most for kPatience.
void await_answers(const shm::Segment& segment, std::vector<RankState>& states,
                   const std::vector<std::uint32_t>& questions) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (bool missing = true; missing && std::chrono::steady_clock::now() < deadline;) {
    missing = false;
    for (std::uint32_t rank = 0; rank < states.size(); ++rank) {
      RankState& state = states[rank];
      if (state.report || questions[rank] == 0) continue;
      state.report = read_answer(segment.report(rank), questions[rank], states.size());
      missing = missing || !state.report;
    }
    if (missing) ::poll(nullptr, 0, kCheckInterval);
  }
}

}  // namespace

std::vector<RankState> inquire(const shm::Segment& segment, std::uint32_t ranks,
                               const std::function<bool(std::uint32_t)>& runs) {
  std::vector<RankState> states;
  std::vector<std::uint32_t> questions(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    shm::RankSlot& slot = segment.slot(rank);
    states.push_back(read_state(slot, runs(rank), ranks));
    RankState& state = states.back();
    if (!state.running || !shm::in_mpi(state.life)) continue;
    state.pid = rank_process(slot);
    state.process = state.pid != 0 ? state_of(state.pid) : '\0';
    if ((state.waiting || state.damaged) && state.process == 'S') questions[rank] = ask(slot);
  }
  await_answers(segment, states, questions);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    RankState& state = states[rank];
    if (state.pid == 0) continue;
    for (const shm::WaitInfo& wait : waits_of(state)) {
      state.sources.push_back(source_of_call(state.pid, wait.site));
    }
    if (state.sources.empty()) state.call = current_call(segment.slot(rank));
  }
  return states;
}

}  // namespace atl::launcher
