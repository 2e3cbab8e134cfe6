// Groups (MPI 5.0, 7.3).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/comm/members.h"
#include "runtime/comm/origin.h"
#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"

namespace atl {

struct Group {
  static constexpr HandleKind kHandleKind = HandleKind::group;

  Members members;
  std::shared_ptr<Origin> origin;  // null: the world model, or MPI_GROUP_EMPTY
};

// Everything a program can name with an MPI_Group.
class Groups {
 public:
  // Null when `handle` is none.
  Group* find(MPI_Group handle) {
    if (handle == MPI_GROUP_EMPTY) return &empty_;
    return table_.find(reinterpret_cast<std::uintptr_t>(handle));
  }

  MPI_Group from_int(int number) const {
    return reinterpret_cast<MPI_Group>(table_.from_int(number));
  }

  MPI_Group make(Members members, std::shared_ptr<Origin> origin) {
    if (members.size() == 0) return MPI_GROUP_EMPTY;
    Group& made = table_.create(Group{std::move(members), std::move(origin)});
    return reinterpret_cast<MPI_Group>(HandleTable<Group>::handle(made));
  }

  // MPI_GROUP_EMPTY stays: a program frees it like any result.
  void free(Group& group) {
    if (&group != &empty_) table_.destroy(group);
  }

  // Calls visit(const Group&) for each that the program has not freed.
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

Fault size(Group& group, int* size);
Fault rank(Group& group, int* rank);
Fault translate_ranks(Group& group1, int n, const int* ranks1, Group& group2, int* ranks2);
Fault compare(Group& group1, Group& group2, int* result);
Fault free(MPI_Group* group);

Fault make_union(Group& group1, Group& group2, MPI_Group* newgroup);
Fault intersection(Group& group1, Group& group2, MPI_Group* newgroup);
Fault difference(Group& group1, Group& group2, MPI_Group* newgroup);
Fault incl(Group& group, int n, const int* ranks, MPI_Group* newgroup);
Fault excl(Group& group, int n, const int* ranks, MPI_Group* newgroup);
Fault range_incl(Group& group, int n, int ranges[][3], MPI_Group* newgroup);
Fault range_excl(Group& group, int n, int ranges[][3], MPI_Group* newgroup);

}  // namespace group
}  // namespace atl
