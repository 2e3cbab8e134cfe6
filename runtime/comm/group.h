// Groups (MPI 5.0, 7.3).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/comm/rank_map.h"
#include "runtime/comm/session_state.h"
#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"

namespace atl {

struct Group {
  static constexpr HandleKind kHandleKind = HandleKind::group;

  RankMap members;
  std::shared_ptr<SessionState> session_state;  // null: the world model, or MPI_GROUP_EMPTY
};

// All groups that a program can name with an MPI_Group.
class Groups {
 public:
  // Null when `handle` names no group.
  Group* find(MPI_Group handle) {
    if (handle == MPI_GROUP_EMPTY) return &empty_;
    return table_.find(reinterpret_cast<std::uintptr_t>(handle));
  }

  MPI_Group from_int(int number) const {
    return reinterpret_cast<MPI_Group>(table_.from_int(number));
  }

  MPI_Group make(RankMap members, std::shared_ptr<SessionState> session_state) {
    if (members.size() == 0) return MPI_GROUP_EMPTY;
    Group& made = table_.create(Group{std::move(members), std::move(session_state)});
    return reinterpret_cast<MPI_Group>(HandleTable<Group>::handle(made));
  }

  // MPI_GROUP_EMPTY is never destroyed: a program may free it like any result.
  void free(Group& group) {
    if (&group != &empty_) table_.destroy(group);
  }

  // Calls visit(const Group&) for each group that the program has not freed.
  template <class Visit>
  void for_each(Visit visit) const {
    table_.for_each(visit);
  }

 private:
  Group empty_;
  HandleTable<Group> table_;
};

inline Groups groups;

template <>
inline MPI_Group handle_from_int(int number) {
  return groups.from_int(number);
}

namespace group {

Error size(Group& group, int* size);
Error rank(Group& group, int* rank);
Error translate_ranks(Group& group1, int n, const int* ranks1, Group& group2, int* ranks2);
Error compare(Group& group1, Group& group2, int* result);
Error free(MPI_Group* group);

Error make_union(Group& group1, Group& group2, MPI_Group* newgroup);
Error intersection(Group& group1, Group& group2, MPI_Group* newgroup);
Error difference(Group& group1, Group& group2, MPI_Group* newgroup);
Error incl(Group& group, int n, const int* ranks, MPI_Group* newgroup);
Error excl(Group& group, int n, const int* ranks, MPI_Group* newgroup);
Error range_incl(Group& group, int n, int ranges[][3], MPI_Group* newgroup);
Error range_excl(Group& group, int n, int ranges[][3], MPI_Group* newgroup);

}  // namespace group
}  // namespace atl
