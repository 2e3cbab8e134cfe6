// The root argument of collectives between groups, where each rank passes something else
// (MPI 5.0, 6.2.3), in a form that can be compared.
#pragma once

#include <string>

#include "runtime/coll/framework/channel.h"

namespace atl::coll {

// The member that is the root; in the root's own group, for those that pass MPI_PROC_NULL, one
// of two values which say what group that is.
int root_between_groups(const Channel& channel, int root);

// What a member passes, as that is published. Of one that passes MPI_PROC_NULL no other argument
// is significant.
struct PassedRoot {
  int member;
  int root;
};
bool passes_proc_null(const Channel& channel, int root);
bool roots_match(const Channel& channel, const PassedRoot& one, const PassedRoot& other);

// "2" and "rank 2", or, in an inter-communicator, where that says too little, "process 5 of the
// job". For error messages.
std::string name_of_root(const Channel& channel, int root);
std::string name_of_member(const Channel& channel, int member);

}  // namespace atl::coll
