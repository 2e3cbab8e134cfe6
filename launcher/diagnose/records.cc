#include "launcher/diagnose/records.h"

#include <algorithm>
#include <span>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

bool is_rank_or_none(std::int32_t rank, std::size_t ranks) {
  return rank >= -1 && rank < static_cast<std::int64_t>(ranks);
}

// Whether the wait of a rank is valid. Texts need no terminating null, and numbers that are
// only printed may have any value.
bool is_sound(const shm::WaitInfo& wait, std::size_t ranks) {
  const std::string began = text_of(wait.began);
  return is_name(text_of(wait.call)) && (began.empty() || is_name(began)) &&
         is_rank_or_none(wait.peer_world, ranks) && is_rank_or_none(wait.lock.holder_world, ranks);
}

bool is_sound(const shm::ReportInfo& report, std::size_t ranks) {
  using Report = shm::ReportInfo;
  if (report.waits_count > Report::kWaits || report.pending_count > Report::kPending ||
      report.arrived_count > Report::kArrived || report.begun_count > Report::kBegun) {
    return false;
  }
  const auto all = [](auto& records, std::uint32_t count, auto sound) {
    return std::all_of(records, records + count, sound);
  };
  return all(report.waits, report.waits_count,
             [&](const shm::WaitInfo& wait) { return is_sound(wait, ranks); }) &&
         all(report.pending, report.pending_count,
             [&](const shm::PendingInfo& pending) {
               return pending.wait < report.waits_count &&
                      is_rank_or_none(pending.peer_world, ranks) &&
                      is_rank_or_none(pending.lock.holder_world, ranks);
             }) &&
         all(report.arrived, report.arrived_count, [&](const shm::ArrivedInfo& arrived) {
           return is_rank_or_none(arrived.source_world, ranks);
         });
}

}  // namespace

RankState read_state(const shm::RankSlot& slot, bool running, std::size_t ranks) {
  RankState state;
  state.running = running;
  // Pairs with the rank's stores of `life` in attach(), set_life() and abort_job(): abort_code is
  // valid after the last of these. mpiexec stores `killed`, on which no other data depends.
  state.life = static_cast<shm::Life>(slot.life.load_acquire());
  state.damaged = state.life > shm::Life::killed;
  shm::WaitInfo waiting;
  if (!slot.waiting.read(waiting) || waiting.call[0] == '\0') return state;
  if (is_sound(waiting, ranks)) {
    state.waiting = waiting;
  } else {
    state.damaged = true;
  }
  return state;
}

std::optional<shm::ReportInfo> read_answer(const shm::WaitReport& report, std::uint32_t question,
                                           std::size_t ranks) {
  shm::ReportInfo answer;
  if (!report.read(answer) || static_cast<std::int32_t>(answer.question - question) < 0 ||
      !is_sound(answer, ranks)) {
    return std::nullopt;
  }
  return answer;
}

}  // namespace atl::launcher
