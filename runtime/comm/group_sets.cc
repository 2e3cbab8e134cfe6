// Groups made from groups (MPI 5.0, 7.3.2).
#include <string>
#include <vector>

#include "runtime/comm/group.h"

namespace atl::group {
namespace {

using World = std::vector<std::uint32_t>;  // ranks in the job

// Appends the members of `from` that are in `set` (`in_set`) or that are not.
void append(World& to, const RankMap& from, const RankMap& set, bool in_set) {
  const RankFinder finder(set);
  for (int rank = 0; rank < from.size(); ++rank) {
    const std::uint32_t world = from.world_rank(rank);
    if ((finder.find(world) != RankMap::kNobody) == in_set) to.push_back(world);
  }
}

// The ranks that a call names, one after another, each at most once.
class Choice {
 public:
  explicit Choice(const Group& group)
      : group_(group.members),
        session_state_(group.session_state),
        chosen_(static_cast<std::size_t>(group_.size())) {}

  Error add_ranks(int n, const int* ranks) {
    for (int i = 0; i < n; ++i) {
      const char* wrong = add(ranks[i]);
      if (wrong != nullptr) {
        return make_error(MPI_ERR_RANK, "ranks[%d]=%d %s (size %d)", i, ranks[i], wrong,
                          group_.size());
      }
    }
    return {};
  }

  Error add_ranges(int n, int ranges[][3]) {
    for (int i = 0; i < n; ++i) {
      if (Error error = add_range(i, ranges[i])) return error;
    }
    return {};
  }

  MPI_Group included() const { return groups.make(RankMap::list(order_), session_state_); }

  MPI_Group excluded() const {
    World rest;
    for (int rank = 0; rank < group_.size(); ++rank) {
      if (!chosen_[static_cast<std::size_t>(rank)]) rest.push_back(group_.world_rank(rank));
    }
    return groups.make(RankMap::list(rest), session_state_);
  }

 private:
  // What is wrong with that rank, or null.
  const char* add(std::int64_t rank) {
    if (rank < 0 || rank >= group_.size()) return "is outside the group";
    if (chosen_[static_cast<std::size_t>(rank)]) return "is there twice";
    chosen_[static_cast<std::size_t>(rank)] = true;
    order_.push_back(group_.world_rank(static_cast<int>(rank)));
    return nullptr;
  }

  Error add_range(int i, const int (&range)[3]) {
    const std::int64_t first = range[0], last = range[1], stride = range[2];
    const auto wrong = [&](int error_class, const char* why) {
      return make_error(error_class, "ranges[%d]={%d, %d, %d}: %s", i, range[0], range[1], range[2],
                        why);
    };
    if (stride == 0) return wrong(MPI_ERR_ARG, "the stride is 0");
    if (last != first && (last > first) != (stride > 0)) {
      return wrong(MPI_ERR_ARG, "the stride leads away from the last rank");
    }
    const std::int64_t steps = (last - first) / stride;
    for (std::int64_t step = 0; step <= steps; ++step) {
      const std::int64_t rank = first + step * stride;
      if (const char* why = add(rank)) {
        const std::string text = "rank " + std::to_string(rank) + " " + why;
        return wrong(MPI_ERR_RANK, text.c_str());
      }
    }
    return {};
  }

  const RankMap& group_;
  const std::shared_ptr<SessionState>& session_state_;
  std::vector<bool> chosen_;  // by rank in the group
  World order_;
};

// Objects of different sessions must not be mixed (11.3); MPI_GROUP_EMPTY belongs to no session.
Error check_same_session(const Group& group1, const Group& group2) {
  if (group1.session_state == group2.session_state || group1.members.size() == 0 ||
      group2.members.size() == 0) {
    return {};
  }
  return make_error(MPI_ERR_GROUP, "group1 and group2 are derived from different sessions");
}

const std::shared_ptr<SessionState>& session_state_of(const Group& group1, const Group& group2) {
  return group1.members.size() != 0 ? group1.session_state : group2.session_state;
}

}  // namespace

Error make_union(Group& group1, Group& group2, MPI_Group* newgroup) {
  if (Error error = check_same_session(group1, group2)) return error;
  World world;
  append(world, group1.members, group1.members, true);
  append(world, group2.members, group1.members, false);
  *newgroup = groups.make(RankMap::list(world), session_state_of(group1, group2));
  return {};
}

Error intersection(Group& group1, Group& group2, MPI_Group* newgroup) {
  if (Error error = check_same_session(group1, group2)) return error;
  World world;
  append(world, group1.members, group2.members, true);
  *newgroup = groups.make(RankMap::list(world), session_state_of(group1, group2));
  return {};
}

Error difference(Group& group1, Group& group2, MPI_Group* newgroup) {
  if (Error error = check_same_session(group1, group2)) return error;
  World world;
  append(world, group1.members, group2.members, false);
  *newgroup = groups.make(RankMap::list(world), session_state_of(group1, group2));
  return {};
}

Error incl(Group& group, int n, const int* ranks, MPI_Group* newgroup) {
  Choice choice(group);
  if (Error error = choice.add_ranks(n, ranks)) return error;
  *newgroup = choice.included();
  return {};
}

Error excl(Group& group, int n, const int* ranks, MPI_Group* newgroup) {
  Choice choice(group);
  if (Error error = choice.add_ranks(n, ranks)) return error;
  *newgroup = choice.excluded();
  return {};
}

Error range_incl(Group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  Choice choice(group);
  if (Error error = choice.add_ranges(n, ranges)) return error;
  *newgroup = choice.included();
  return {};
}

Error range_excl(Group& group, int n, int ranges[][3], MPI_Group* newgroup) {
  Choice choice(group);
  if (Error error = choice.add_ranges(n, ranges)) return error;
  *newgroup = choice.excluded();
  return {};
}

}  // namespace atl::group
