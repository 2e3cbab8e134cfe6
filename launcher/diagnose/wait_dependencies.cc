#include "launcher/diagnose/wait_dependencies.h"

#include <algorithm>
#include <cstddef>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

constexpr std::int32_t kAnySource = -1;  // the standard ABI's value

// The operation of a rank without a report, from its wait record.
shm::PendingInfo in_short(const shm::WaitInfo& wait) {
  shm::PendingInfo what;
  what.kind = wait.kind;
  what.peer = wait.peer;
  what.peer_world = wait.peer_world;
  what.tag = wait.tag;
  what.context = wait.context;
  what.collective = wait.collective;
  what.bytes = wait.bytes;
  what.lock = wait.lock;
  return what;
}

std::vector<int> without(std::vector<int> ranks, int one) {
  std::erase(ranks, one);
  return ranks;
}

// The members that have not started the collective, or else the peer that the rank waits for.
std::vector<int> missing(std::span<const RankState> ranks, const WaitDependency& dependency) {
  std::vector<int> found;
  for (const int member : members_of(ranks, dependency.rank, dependency.what.wait)) {
    if (member != dependency.rank &&
        !has_entered(ranks[static_cast<std::size_t>(member)], dependency)) {
      found.push_back(member);
    }
  }
  if (found.empty() && dependency.what.peer_world >= 0) found.push_back(dependency.what.peer_world);
  return found;
}

// Any other member may complete the operation.
void depend_on_others(std::span<const RankState> ranks, WaitDependency& dependency) {
  dependency.from =
      without(members_of(ranks, dependency.rank, dependency.what.wait), dependency.rank);
  dependency.any = dependency.any || dependency.from.size() > 1;
}

void fill_in(std::span<const RankState> ranks, WaitDependency& dependency) {
  const shm::PendingInfo& what = dependency.what;
  dependency.any = dependency.wait.any != 0;
  if (what.kind == shm::WaitKind::collective) {
    dependency.from = missing(ranks, dependency);
  } else if (what.kind == shm::WaitKind::lock) {
    if (what.lock.holder_world < 0) return depend_on_others(ranks, dependency);
    dependency.from = {what.lock.holder_world};
  } else if (what.peer_world >= 0) {
    dependency.from = {what.peer_world};
  } else if (what.peer == kAnySource) {
    depend_on_others(ranks, dependency);
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

bool has_entered(const RankState& rank, const WaitDependency& dependency) {
  for (const shm::WaitInfo& wait : waits_of(rank)) {
    const bool same = wait.kind == shm::WaitKind::collective &&
                      wait.context == dependency.wait.context &&
                      wait.collective == dependency.what.collective;
    if (same) return collective_name(wait) == collective_name(dependency.wait);
  }
  if (!rank.report || dependency.what.collective == 0) return false;
  for (std::uint32_t i = 0; i < rank.report->begun_count; ++i) {
    const shm::BegunInfo& begun = rank.report->begun[i];
    if (begun.context == dependency.what.context)
      return begun.collectives >= dependency.what.collective;
  }
  return false;
}

std::string collective_name(const shm::WaitInfo& wait) {
  return text_of(wait.began[0] != '\0' ? wait.began : wait.call);
}

std::vector<WaitDependency> wait_dependencies_of(std::span<const RankState> ranks) {
  std::vector<WaitDependency> dependencies;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto waits = waits_of(ranks[rank]);
    const auto& report = ranks[rank].report;
    if (waits.empty()) continue;
    const std::size_t count = report ? report->pending_count : waits.size();
    for (std::size_t i = 0; i < count; ++i) {
      WaitDependency dependency;
      dependency.rank = static_cast<int>(rank);
      dependency.what = report ? report->pending[i] : in_short(waits[i]);
      dependency.wait = waits[report ? dependency.what.wait : i];
      fill_in(ranks, dependency);
      dependencies.push_back(dependency);
    }
  }
  return dependencies;
}

}  // namespace atl::launcher
