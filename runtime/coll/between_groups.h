// What the ranks of an inter-communicator call, for comparison: of a call with a root
// each rank knows something else.
#pragma once

#include <string>

#include "runtime/coll/channel.h"

namespace atl::coll {

// What a member says about the root: which member it is; or, in the root's own group,
// MPI_PROC_NULL, of which it is known which group that is. In the latter case it is a
// bystander, whose other arguments mean nothing.
struct Root {
  int member;
  int said;
};
bool is_bystander(const Channel& channel, int said);
bool roots_match(const Channel& channel, const Root& one, const Root& other);

// "2" or, of an inter-communicator, in which that alone says too little, "process 5 of
// the job"; "rank 2" or "process 5 of the job".
std::string name_of_root(const Channel& channel, int said);
std::string name_of_member(const Channel& channel, int member);

}  // namespace atl::coll
