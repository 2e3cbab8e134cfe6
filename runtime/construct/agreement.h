// The members of a communicator that is to be made agree on it: all have named the
// same group, by the same call.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/comm/communicator.h"
#include "runtime/comm/members.h"
#include "runtime/core/fault.h"

namespace atl::construct {

// What all members have to mean.
struct Construction {
  const Members& members;
  std::string name;         // tells it from others that are under way at the same time
  std::uint64_t other = 0;  // hash of other arguments that must be the same
  const char* others = "";  // their names
};

// Every member calls this; all of them belong to `comm`. Where two do not mean the
// same, all get the same fault; else all get a context id.
Fault agree(Communicator& comm, const Construction& meant, shm::ContextId& context);

// Every rank of `comm`: all give the same value for an argument, or all get a fault.
Fault check_same(Communicator& comm, const char* argument, int value);

// The same of an argument that is known by a hash.
Fault check_same_hash(Communicator& comm, const char* argument, std::uint64_t hash);

}  // namespace atl::construct
