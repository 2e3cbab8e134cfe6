#include "launcher/diagnose/wait_table.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

// The standard ABI's values (MPI 5.0, chapter 20).
constexpr std::int32_t kAnySource = -1;
constexpr std::int32_t kAnyTag = -2;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string_view preposition(shm::WaitKind kind) {
  switch (kind) {
    case shm::WaitKind::receive:
    case shm::WaitKind::probe: return "from";
    case shm::WaitKind::send: return "to";
    default: return "with";
  }
}

// Calls without a partner, such as barriers, have no peer_world either.
bool has_partner(const shm::WaitInfo& waiting) {
  if (waiting.kind == shm::WaitKind::collective) return false;
  return waiting.peer_world >= 0 || waiting.peer == kAnySource;
}

// The kind of a request, for calls that wait for requests.
std::string request_noun(const shm::WaitInfo& waiting) {
  switch (waiting.kind) {
    case shm::WaitKind::receive: return "a receive";
    case shm::WaitKind::send: return "a send";
    case shm::WaitKind::collective:
      return waiting.began[0] != '\0' ? text_of(waiting.began) : "a collective";
    default: return "a request";
  }
}

std::string requests_text(const shm::WaitInfo& waiting) {
  if (waiting.requests == 0 || !contains(text_of(waiting.call), "Wait")) return {};
  const std::string noun = request_noun(waiting);
  if (waiting.requests == 1) return " for " + noun;
  return fmt::format(" for {}{} requests, the first {}", waiting.any != 0 ? "one of " : "",
                     waiting.requests, noun);
}

std::string partner_text(const shm::WaitInfo& waiting) {
  const std::string peer = waiting.peer == kAnySource
                               ? "any source"
                               : rank_and_job_rank(waiting.peer, waiting.peer_world);
  return fmt::format(
      " {} {}{}", preposition(waiting.kind), peer,
      waiting.tag == kAnyTag ? std::string(", any tag") : fmt::format(", tag {}", waiting.tag));
}

// --- one-sided communication ---

bool is_one_sided(shm::WaitKind kind) {
  return kind == shm::WaitKind::lock || kind == shm::WaitKind::post ||
         kind == shm::WaitKind::complete;
}

// " for the exclusive lock of rank 0", " for MPI_Win_post of 3 ranks, the first 1".
std::string one_sided_text(const shm::WaitInfo& waiting) {
  const std::string peer = rank_and_job_rank(waiting.peer, waiting.peer_world);
  if (waiting.kind == shm::WaitKind::lock) {
    return fmt::format(" for the {}lock of rank {}", lock_adjective(waiting.lock.wanted), peer);
  }
  const char* call = waiting.kind == shm::WaitKind::post ? "MPI_Win_post" : "MPI_Win_complete";
  if (waiting.requests <= 1) return fmt::format(" for {} of rank {}", call, peer);
  return fmt::format(" for {} of {} ranks, the first {}", call, waiting.requests, peer);
}

std::string holder_text(const shm::LockInfo& lock) {
  if (lock.holder < 0 && lock.held == shm::LockMode::none) return {};
  const char* how = lock.held == shm::LockMode::exclusive ? " exclusively"
                    : lock.held == shm::LockMode::shared  ? " shared"
                                                          : "";
  if (lock.holder < 0) return fmt::format(", held{} by another rank", how);
  return fmt::format(", held{} by rank {}", how, rank_and_job_rank(lock.holder, lock.holder_world));
}

// "communicator halo of size 4", "window halo of size 4".
std::string communicator_text(const shm::WaitInfo& waiting) {
  const std::string name = text_of(waiting.communicator);
  if (name.empty()) return {};
  const bool window = is_one_sided(waiting.kind) || is_window(name);
  const std::string size = waiting.size > 0 ? fmt::format(" of size {}", waiting.size) : "";
  return fmt::format(", {}{}{}", window ? "" : "communicator ", name, size);
}

// The state of a rank that does not sleep in MPI.
std::string activity_text(const RankState& rank) {
  if (rank.process == 'T' || rank.process == 't') return "is stopped";
  if (rank.damaged) return "what it has written about itself is damaged";
  switch (rank.life) {
    case shm::Life::launched: return "has not called MPI_Init";
    case shm::Life::finalized: return "has finalized MPI, but runs";
    case shm::Life::aborted: return "has called MPI_Abort";
    case shm::Life::killed: return "has ended without MPI_Finalize";
    case shm::Life::initialized:
    case shm::Life::sessions: break;
  }
  if (!rank.call.empty()) return "is at work in " + rank.call;
  switch (rank.process) {
    case 'R': return "computes outside MPI";
    case 'S': return "sleeps outside MPI";
    case 'D': return "waits for a device outside MPI";
    default: return "does not wait in MPI";
  }
}

std::string wait_text(const RankState& rank, std::size_t number, const shm::WaitInfo& waiting,
                      std::int64_t now_ns) {
  // The rank's clock may differ (time_namespaces(7)), or its wait record may be damaged.
  const std::int64_t since_ns = std::clamp<std::int64_t>(waiting.since_ns, 0, now_ns);
  const double seconds = static_cast<double>(now_ns - since_ns) / 1e9;
  std::string text = fmt::format("{}, waits {:.1f} s", describe_wait(waiting), seconds);
  if (number < rank.sources.size() && !rank.sources[number].empty()) {
    text += ", at " + rank.sources[number];
  }
  if (rank.process == 'T' || rank.process == 't') text += ", is stopped";
  return text;
}

}  // namespace

std::string rank_and_job_rank(std::int32_t rank, std::int32_t world) {
  if (world < 0 || world == rank) return std::to_string(rank);
  return fmt::format("{} (rank {} of the job)", rank, world);
}

std::string lock_adjective(shm::LockMode mode) {
  switch (mode) {
    case shm::LockMode::exclusive: return "exclusive ";
    case shm::LockMode::shared: return "shared ";
    default: return "";
  }
}

bool is_window(std::string_view label) { return label.starts_with("window "); }

std::string describe_wait(const shm::WaitInfo& waiting) {
  std::string text = text_of(waiting.call);
  if (is_one_sided(waiting.kind)) {
    text += one_sided_text(waiting) + communicator_text(waiting);
    return waiting.kind == shm::WaitKind::lock ? text + holder_text(waiting.lock) : text;
  }
  text += requests_text(waiting);
  if (has_partner(waiting)) text += partner_text(waiting);
  text += communicator_text(waiting);
  const bool data = waiting.kind == shm::WaitKind::receive || waiting.kind == shm::WaitKind::send;
  if (data) text += ", " + counted(waiting.bytes, "byte");
  return text;
}

std::vector<shm::WaitInfo> waits_of(const RankState& rank) {
  if (!rank.running) return {};
  if (rank.report) return {rank.report->waits, rank.report->waits + rank.report->waits_count};
  if (rank.waiting) return {*rank.waiting};
  return {};
}

std::string wait_table(std::span<const RankState> ranks, std::int64_t now_ns) {
  std::string table;
  const auto add = [&](std::size_t rank, const std::string& text) {
    if (!table.empty()) table += '\n';
    table += fmt::format("rank {}: {}", rank, text);
  };
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const RankState& state = ranks[rank];
    const auto waits = waits_of(state);
    for (std::size_t i = 0; i < waits.size(); ++i) add(rank, wait_text(state, i, waits[i], now_ns));
    if (!state.running) {
      add(rank, state.how_ended.empty() ? "has ended" : "has ended: " + state.how_ended);
    } else if (waits.empty()) {
      add(rank, activity_text(state));
    }
  }
  return table;
}

std::string wait_summary(std::span<const RankState> ranks) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    std::vector<std::string> calls;
    for (const shm::WaitInfo& wait : waits_of(ranks[rank])) calls.push_back(describe_wait(wait));
    if (calls.empty() && !ranks[rank].call.empty()) calls.push_back(ranks[rank].call);
    for (const std::string& text : calls) {
      auto group = groups.begin();
      while (group != groups.end() && group->first != text) ++group;
      if (group == groups.end()) group = groups.insert(group, {text, {}});
      group->second.push_back(static_cast<int>(rank));
    }
  }
  std::string summary;
  for (const auto& [text, members] : groups) {
    if (!summary.empty()) summary += "; ";
    summary +=
        fmt::format("{} {} in {}", members.size() == 1 ? "rank" : "ranks", ranges(members), text);
  }
  return summary;
}

}  // namespace atl::launcher
