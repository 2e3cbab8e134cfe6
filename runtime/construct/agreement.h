// The future members of a communicator agree on it: all have named the same group, by the same
// call.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/comm/communicator.h"
#include "runtime/comm/rank_map.h"
#include "runtime/core/error.h"

namespace atl::construct {

// The arguments that all members must have in common.
struct Construction {
  const RankMap& members;
  std::string name;         // distinguishes it from concurrent constructions
  std::uint64_t other = 0;  // hash of other arguments that must be the same
  const char* others = "";  // their names
};

// Called by every member; all of them belong to `comm`. If any two disagree, all get the same
// error; otherwise all get a context id.
Error agree(Communicator& comm, const Construction& meant, shm::ContextId& context);

// Called by every rank of `comm`: all pass the same value of an argument, or all get an error.
Error check_same(Communicator& comm, const char* argument, int value);

// The same for an argument that is compared by its hash.
Error check_same_hash(Communicator& comm, const char* argument, std::uint64_t hash);

}  // namespace atl::construct
