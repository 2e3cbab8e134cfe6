#include "runtime/coll/scan/scan.h"

namespace atl::coll::shared_memory {

FlatScan::FlatScan(const Prefix& call, Channel& channel)
    : FlatReduction(call.arguments, make_signature(call),
                    call.exclusive ? channel.rank() - 1 : channel.rank()) {}

}  // namespace atl::coll::shared_memory
