#include "runtime/coll/allreduce/allreduce.h"

namespace atl::coll::shared_memory {

FlatAllreduce::FlatAllreduce(const Allreduce& call, Channel& channel)
    : FlatReduction(call.arguments, make_signature(call), channel.size() - 1) {}

}  // namespace atl::coll::shared_memory
