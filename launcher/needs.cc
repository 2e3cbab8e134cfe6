#include "launcher/needs.h"

#include <algorithm>
#include <cstddef>

#include "launcher/text.h"

namespace atl::launcher {
namespace {

constexpr std::int32_t kAnySource = -1;  // the standard ABI's value

// What a rank waits for that has not answered: as much of it as it wrote before.
shm::PendingInfo in_short(const shm::WaitInfo& wait) {
  shm::PendingInfo what;
  what.kind = wait.kind;
  what.peer = wait.peer;
  what.peer_world = wait.peer_world;
  what.tag = wait.tag;
  what.context = wait.context;
  what.collective = wait.collective;
  what.bytes = wait.bytes;
  return what;
}

std::vector<int> without(std::vector<int> ranks, int one) {
  std::erase(ranks, one);
  return ranks;
}

// The members who have not begun the collective, or else the one it waits for.
std::vector<int> missing(std::span<const RankState> ranks, const Need& need) {
  std::vector<int> found;
  for (const int member : members_of(ranks, need.rank, need.what.wait)) {
    if (member != need.rank && !has_entered(ranks[static_cast<std::size_t>(member)], need)) {
      found.push_back(member);
    }
  }
  if (found.empty() && need.what.peer_world >= 0) found.push_back(need.what.peer_world);
  return found;
}

void fill_in(std::span<const RankState> ranks, Need& need) {
  need.any = need.wait.any != 0;
  if (need.what.kind == shm::WaitKind::collective) {
    need.from = missing(ranks, need);
  } else if (need.what.peer_world >= 0) {
    need.from = {need.what.peer_world};
  } else if (need.what.peer == kAnySource) {
    need.from = without(members_of(ranks, need.rank, need.what.wait), need.rank);
    need.any = need.any || need.from.size() > 1;
  }
}

}  // namespace

std::vector<int> members_of(std::span<const RankState> ranks, int rank, std::uint32_t wait) {
  const auto& report = ranks[static_cast<std::size_t>(rank)].report;
  std::vector<int> members;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const bool known = report && i / 64 < shm::ReportInfo::kMemberWords;
    if (!known || (report->members[wait][i / 64] >> (i % 64) & 1) != 0) {
      members.push_back(static_cast<int>(i));
    }
  }
  return members;
}

bool has_entered(const RankState& rank, const Need& need) {
  for (const shm::WaitInfo& wait : waits_of(rank)) {
    const bool same = wait.kind == shm::WaitKind::collective && wait.context == need.wait.context &&
                      wait.collective == need.what.collective;
    if (same) return collective_name(wait) == collective_name(need.wait);
  }
  if (!rank.report || need.what.collective == 0) return false;
  for (std::uint32_t i = 0; i < rank.report->begun_count; ++i) {
    const shm::BegunInfo& begun = rank.report->begun[i];
    if (begun.context == need.what.context) return begun.collectives >= need.what.collective;
  }
  return false;
}

std::string collective_name(const shm::WaitInfo& wait) {
  return text_of(wait.began[0] != '\0' ? wait.began : wait.call);
}

std::vector<Need> needs_of(std::span<const RankState> ranks) {
  std::vector<Need> needs;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto waits = waits_of(ranks[rank]);
    const auto& report = ranks[rank].report;
    if (waits.empty()) continue;
    const std::size_t count = report ? report->pending_count : waits.size();
    for (std::size_t i = 0; i < count; ++i) {
      Need need;
      need.rank = static_cast<int>(rank);
      need.what = report ? report->pending[i] : in_short(waits[i]);
      need.wait = waits[report ? need.what.wait : i];
      fill_in(ranks, need);
      needs.push_back(need);
    }
  }
  return needs;
}

}  // namespace atl::launcher
