// Queries of groups. Constructors are in group_sets.cc.
#include "runtime/comm/group.h"

#include "runtime/core/process.h"

namespace atl::group {
namespace {

int rank_or_undefined(int rank) { return rank == RankMap::kNobody ? MPI_UNDEFINED : rank; }

}  // namespace

Error size(Group& group, int* size) {
  *size = group.members.size();
  return {};
}

Error rank(Group& group, int* rank) {
  *rank = rank_or_undefined(group.members.find(process.rank));
  return {};
}

Error translate_ranks(Group& group1, int n, const int* ranks1, Group& group2, int* ranks2) {
  const int size = group1.members.size();
  for (int i = 0; i < n; ++i) {
    if ((ranks1[i] < 0 || ranks1[i] >= size) && ranks1[i] != MPI_PROC_NULL) {
      return make_error(MPI_ERR_RANK, "ranks1[%d]=%d is outside group1 of size %d", i, ranks1[i],
                        size);
    }
  }
  const RankFinder finder(group2.members);
  for (int i = 0; i < n; ++i) {
    const int rank = ranks1[i];
    ranks2[i] = rank == MPI_PROC_NULL
                    ? MPI_PROC_NULL
                    : rank_or_undefined(finder.find(group1.members.world_rank(rank)));
  }
  return {};
}

Error compare(Group& group1, Group& group2, int* result) {
  if (group1.members == group2.members) {
    *result = MPI_IDENT;
  } else {
    *result = group1.members.same_set(group2.members) ? MPI_SIMILAR : MPI_UNEQUAL;
  }
  return {};
}

Error free(MPI_Group* group) {
  groups.free(*groups.find(*group));
  *group = MPI_GROUP_NULL;
  return {};
}

}  // namespace atl::group
