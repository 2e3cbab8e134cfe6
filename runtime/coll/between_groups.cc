#include "runtime/coll/between_groups.h"

#include "runtime/coll/calls.h"

namespace atl::coll {
namespace {

// Said by bystanders of the first and the second group; more than there are members.
constexpr int kInFirstGroup = 0xffff;
constexpr int kInSecondGroup = 0xfffe;

int said_of(int root, const Channel& channel) {
  if (root == MPI_ROOT) return channel.rank();
  if (root != MPI_PROC_NULL) return channel.peer(root);
  return channel.in_first_group(channel.rank()) ? kInFirstGroup : kInSecondGroup;
}

// `said`, of a bystander, and a member that is called the root, by another one.
bool can_be(const Channel& channel, const Root& bystander, int root) {
  return root != bystander.member &&
         channel.in_first_group(root) == (bystander.said == kInFirstGroup);
}

}  // namespace

bool is_bystander(const Channel& channel, int said) {
  return channel.between_groups() && said >= kInSecondGroup;
}

bool roots_match(const Channel& channel, const Root& one, const Root& other) {
  if (one.said == other.said) return true;
  const bool by = is_bystander(channel, one.said);
  const bool other_by = is_bystander(channel, other.said);
  if (by == other_by) return false;
  return by ? can_be(channel, one, other.said) : can_be(channel, other, one.said);
}

std::string name_of_root(const Channel& channel, int said) {
  if (!channel.between_groups()) return std::to_string(said);
  return is_bystander(channel, said) ? "MPI_PROC_NULL" : name_of_member(channel, said);
}

std::string name_of_member(const Channel& channel, int member) {
  if (!channel.between_groups()) return "rank " + std::to_string(member);
  if (member < 0 || member >= channel.size()) return "a process that is no member";
  return "process " + std::to_string(channel.world_rank(member)) + " of the job";
}

Called call_between_groups(const Barrier& call, const Channel&) { return call_of(call); }

Called call_between_groups(const Bcast& call, const Channel& channel) {
  const Data data = call.root == MPI_PROC_NULL ? nothing() : call.data;
  return call_of(Kind::bcast, data, said_of(call.root, channel));
}

Called call_between_groups(const Gather& call, const Channel& channel) {
  const int root = said_of(call.root, channel);
  if (!call.all.alike()) return call_of(Kind::gatherv, nothing(), root);
  if (call.root == MPI_PROC_NULL) return call_of(Kind::gather, nothing(), root);
  return call_of(Kind::gather, call.root == MPI_ROOT ? call.all[0] : call.mine[0], root);
}

Called call_between_groups(const Scatter& call, const Channel& channel) {
  const int root = said_of(call.root, channel);
  if (!call.all.alike()) return call_of(Kind::scatterv, nothing(), root);
  if (call.root == MPI_PROC_NULL) return call_of(Kind::scatter, nothing(), root);
  return call_of(Kind::scatter, call.root == MPI_ROOT ? call.all[0] : call.mine[0], root);
}

Called call_between_groups(const Allgather& call, const Channel&) {
  return call_of(call.all.alike() ? Kind::allgather : Kind::allgatherv);
}

Called call_between_groups(const Alltoall& call, const Channel&) {
  return call_of(call.in.alike() ? Kind::alltoall : Kind::alltoallv);
}

Called call_between_groups(const Reduce& call, const Channel& channel) {
  const int root = said_of(call.root, channel);
  if (call.root == MPI_PROC_NULL) return call_of(Kind::reduce, nothing(), root);
  return call_of(Kind::reduce, call.with.contribution(), call.with.reduction(), root);
}

Called call_between_groups(const Allreduce& call, const Channel&) { return call_of(call); }

// Each group has as much data, but parts of its own.
Called call_between_groups(const ReduceScatter& call, const Channel&) {
  return call_of(call.listed ? Kind::reduce_scatter : Kind::reduce_scatter_block,
                 call.with.contribution(), call.with.reduction());
}

}  // namespace atl::coll
