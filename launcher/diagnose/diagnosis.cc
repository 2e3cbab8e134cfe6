#include "launcher/diagnose/diagnosis.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/diagnose/lock_causes.h"
#include "launcher/diagnose/rank_texts.h"
#include "launcher/diagnose/wait_cycle.h"
#include "launcher/diagnose/wait_dependencies.h"

namespace atl::launcher {
namespace {

constexpr std::int32_t kAnySource = -1;  // the standard ABI's values
constexpr std::int32_t kAnyTag = -2;
constexpr std::size_t kMostCauses = 3;

bool receives(const WaitDependency& dependency) {
  return dependency.what.kind == shm::WaitKind::receive ||
         dependency.what.kind == shm::WaitKind::probe;
}

std::vector<int> find_circle(const std::vector<WaitDependency>& dependencies, std::size_t ranks) {
  const auto circle = shortest_cycle(dependencies, ranks, false);
  return circle.empty() ? shortest_cycle(dependencies, ranks, true) : circle;
}

std::string circle_text(const std::vector<int>& circle) {
  if (circle.size() == 1) return fmt::format("{} waits for itself", circle[0]);
  std::string text;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("{} waits for {}", circle[i], circle[(i + 1) % circle.size()]);
  }
  return text;
}

// --- causes ---

class Causes {
 public:
  explicit Causes(std::span<const RankState> ranks)
      : ranks_(ranks), dependencies_(wait_dependencies_of(ranks)) {}

  std::vector<std::string> find() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      check_finished_rank(static_cast<int>(rank));
    for (const std::string& cause : lock_causes(ranks_, dependencies_)) add(cause);
    for (const WaitDependency& dependency : dependencies_) {
      if (receives(dependency)) check_messages(dependency);
    }
    for (const WaitDependency& dependency : dependencies_) {
      if (dependency.what.kind == shm::WaitKind::collective) check_collective(dependency);
    }
    if (found_.empty()) check_cycle();
    if (found_.size() > kMostCauses) found_.resize(kMostCauses);
    return found_;
  }

 private:
  void add(const std::string& sentence) {
    if (std::find(found_.begin(), found_.end(), sentence) == found_.end()) {
      found_.push_back(sentence);
    }
  }

  // A rank that has ended or is about to leave MPI, and for which others wait. lock_causes() says
  // so of the holder of a lock.
  void check_finished_rank(int finished) {
    const RankState& rank = state_of(ranks_, finished);
    if (rank.running && !leaves(rank)) return;
    std::vector<int> waiting;
    std::string call;
    for (const WaitDependency& dependency : dependencies_) {
      const bool waits = std::find(dependency.from.begin(), dependency.from.end(), finished) !=
                         dependency.from.end();
      const bool lock = dependency.what.kind == shm::WaitKind::lock;
      if (!waits || lock || dependency.any || dependency.rank == finished) continue;
      if (rank.running && text_of(dependency.wait.call) == kFinalize) continue;
      if (waiting.empty()) call = text_of(dependency.wait.call);
      if (waiting.empty() || waiting.back() != dependency.rank) waiting.push_back(dependency.rank);
    }
    if (waiting.empty()) return;
    add(fmt::format("rank {} {}, and {} for it in {}", finished,
                    rank.running ? "is in MPI_Finalize already" : ended(rank),
                    named_as_waiting(waiting), call));
  }

  // Which members are in the collective, and where the others are.
  void check_collective(const WaitDependency& dependency) {
    std::vector<int> inside;
    std::vector<int> outside;
    for (const int member : members_of(ranks_, dependency.rank, dependency.what.wait)) {
      const bool entered =
          member == dependency.rank || has_entered(state_of(ranks_, member), dependency);
      (entered ? inside : outside).push_back(member);
    }
    if (outside.empty() || text_of(dependency.wait.call) == kFinalize) return;
    // Reported once for each collective, for the first dependency on it.
    if (!seen_.insert({dependency.what.context, dependency.what.collective}).second) return;
    std::vector<std::string> elsewhere;
    for (const int member : outside) {
      const RankState& rank = state_of(ranks_, member);
      if (!rank.running || leaves(rank)) continue;  // reported by check_finished_rank()
      const auto waits = waits_of(rank);
      elsewhere.push_back(
          fmt::format("rank {} {}", member,
                      waits.empty() ? "is not" : "is in " + describe_wait(waits.front())));
    }
    if (elsewhere.empty()) return;
    constexpr std::size_t kMost = 4;
    if (elsewhere.size() > kMost) {
      elsewhere.resize(kMost);
      elsewhere.push_back("...");
    }
    add(fmt::format("not all ranks of {} call the same collective: {} {} in {}, but {}",
                    text_of(dependency.wait.communicator), named(inside),
                    inside.size() == 1 ? "is" : "are", collective_name(dependency.wait),
                    fmt::join(elsewhere, ", ")));
  }

  // Searches the unexpected messages for one that differs in one part of the envelope.
  void check_messages(const WaitDependency& dependency) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const auto& report = ranks_[rank].report;
      if (!report) continue;
      for (std::uint32_t i = 0; i < report->arrived_count; ++i) {
        compare(dependency, static_cast<int>(rank), report->arrived[i]);
      }
    }
  }

  void compare(const WaitDependency& dependency, int at, const shm::ArrivedInfo& message) {
    if (is_window(text_of(message.communicator))) return;  // not a message of the program
    const shm::PendingInfo& what = dependency.what;
    const bool same_tag = what.tag == kAnyTag || what.tag == message.tag;
    const bool same_source = what.peer == kAnySource || what.peer_world == message.source_world;
    const bool same_comm = what.context == message.context;
    const std::string comm = text_of(dependency.wait.communicator);
    const std::string wants = fmt::format("rank {} waits for {} from {}", dependency.rank,
                                          tag_text(what.tag), source_text(what));
    const std::string came =
        fmt::format("rank {} has sent it {}", message.source_world, tag_text(message.tag));
    if (at != dependency.rank) {
      if (same_comm && same_tag && same_source && what.peer != kAnySource) {
        add(
            fmt::format("the message went to another rank: {} on {}, and rank {} has sent {} to "
                        "rank {}",
                        wants, comm, message.source_world, tag_text(message.tag), at));
      }
    } else if (same_comm && same_source && !same_tag) {
      add(fmt::format("the tags differ: {} on {}, and {}", wants, comm, came));
    } else if (!same_comm && same_source && same_tag) {
      add(fmt::format("the communicators differ: {} on {}, and {} on {}", wants, comm, came,
                      message.communicator[0] != '\0' ? text_of(message.communicator)
                                                      : "another communicator"));
    } else if (same_comm && same_tag && !same_source) {
      add(fmt::format("the ranks differ: {} on {}, and {}", wants, comm, came));
    }
  }

  static std::string tag_text(std::int32_t tag) {
    return tag == kAnyTag ? "any tag" : fmt::format("tag {}", tag);
  }

  static std::string source_text(const shm::PendingInfo& what) {
    return what.peer == kAnySource ? "anybody" : fmt::format("rank {}", what.peer_world);
  }

  // All ranks of the cycle wait for the same kind of operation.
  void check_cycle() {
    const auto circle = find_circle(dependencies_, ranks_.size());
    if (circle.empty()) return;
    const auto all = [&](auto is_kind) {
      return std::all_of(dependencies_.begin(), dependencies_.end(), [&](const auto& dependency) {
        const bool inside =
            std::find(circle.begin(), circle.end(), dependency.rank) != circle.end();
        return !inside || is_kind(dependency);
      });
    };
    const auto all_of_kind = [&](shm::WaitKind kind) {
      return all([kind](const WaitDependency& one) { return one.what.kind == kind; });
    };
    if (all_of_kind(shm::WaitKind::send)) {
      add("each sends first, and a message of this kind waits for its receive: post the receive "
          "before (MPI_Irecv), or use MPI_Sendrecv");
    } else if (all(receives)) {
      add("each waits for a message before it sends its own: one of them has to send first");
    } else if (all_of_kind(shm::WaitKind::post)) {
      add("each calls MPI_Win_start before its own MPI_Win_post: MPI_Win_start may wait for "
          "MPI_Win_post of the targets, so post first");
    } else if (all_of_kind(shm::WaitKind::complete)) {
      add("each calls MPI_Win_wait before its own MPI_Win_complete: MPI_Win_wait waits for "
          "MPI_Win_complete of the origins, so complete first");
    }
  }

  std::span<const RankState> ranks_;
  std::vector<WaitDependency> dependencies_;
  std::vector<std::string> found_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;  // collectives: context, number
};

}  // namespace

std::string waiting_circle(std::span<const RankState> ranks) {
  const std::vector<WaitDependency> dependencies = wait_dependencies_of(ranks);
  const auto circle = find_circle(dependencies, ranks.size());
  if (!circle.empty()) return circle_text(circle);
  for (const WaitDependency& dependency : dependencies) {
    for (const int other : dependency.from) {
      const RankState& rank = state_of(ranks, other);
      if (!rank.running)
        return fmt::format("{} waits for {}, which {}", dependency.rank, other, ended(rank));
    }
  }
  return {};
}

std::vector<std::string> likely_causes(std::span<const RankState> ranks) {
  return Causes(ranks).find();
}

}  // namespace atl::launcher
