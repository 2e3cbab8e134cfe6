// The root argument of collectives in inter-communicators, which differs between ranks
// (MPI 5.0, 6.2.3), in a form that can be compared.
#pragma once

#include <string>

#include "runtime/coll/framework/channel.h"

namespace atl::coll {

// The member number of the root. For ranks that pass MPI_PROC_NULL, which are in the root's group,
// one of two values that say which group that is.
int root_between_groups(const Channel& channel, int root);

// The root argument of a member, as published: root_between_groups(). Of a member that passes
// MPI_PROC_NULL no other argument is significant.
struct PassedRoot {
  int member;
  int root;
};
bool passes_proc_null(const Channel& channel, int root);
bool roots_match(const Channel& channel, const PassedRoot& one, const PassedRoot& other);

// "2" and "rank 2"; in an inter-communicator, where a rank is ambiguous, "process 5 of the job".
// For error messages.
std::string name_of_root(const Channel& channel, int root);
std::string name_of_member(const Channel& channel, int member);

}  // namespace atl::coll
