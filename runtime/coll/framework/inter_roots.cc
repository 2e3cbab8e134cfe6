#include "runtime/coll/framework/inter_roots.h"

#include <mpi.h>

namespace atl::coll {
namespace {

// MPI_PROC_NULL in the first and the second group; greater than any member number.
constexpr int kProcNullInFirst = 0xffff;
constexpr int kProcNullInSecond = 0xfffe;

// `passed` is MPI_PROC_NULL; another member passes `root`. Whether they can match: `root` is
// another member of the same group.
bool can_be_root(const Channel& channel, const PassedRoot& passed, int root) {
  return root != passed.member && channel.in_first_group(root) == (passed.root == kProcNullInFirst);
}

}  // namespace

int root_between_groups(const Channel& channel, int root) {
  if (root == MPI_ROOT) return channel.rank();
  if (root != MPI_PROC_NULL) return channel.peer(root);
  return channel.in_first_group(channel.rank()) ? kProcNullInFirst : kProcNullInSecond;
}

bool passes_proc_null(const Channel& channel, int root) {
  return channel.between_groups() && root >= kProcNullInSecond;
}

bool roots_match(const Channel& channel, const PassedRoot& one, const PassedRoot& other) {
  if (one.root == other.root) return true;
  const bool one_null = passes_proc_null(channel, one.root);
  const bool other_null = passes_proc_null(channel, other.root);
  if (one_null == other_null) return false;
  return one_null ? can_be_root(channel, one, other.root) : can_be_root(channel, other, one.root);
}

std::string name_of_root(const Channel& channel, int root) {
  if (!channel.between_groups()) return std::to_string(root);
  return passes_proc_null(channel, root) ? "MPI_PROC_NULL" : name_of_member(channel, root);
}

std::string name_of_member(const Channel& channel, int member) {
  if (!channel.between_groups()) return "rank " + std::to_string(member);
  if (member < 0 || member >= channel.size()) return "a process that is no member";
  return "process " + std::to_string(channel.world_rank(member)) + " of the job";
}

}  // namespace atl::coll
