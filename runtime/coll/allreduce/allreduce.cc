#include "runtime/coll/allreduce/allreduce.h"

namespace atl::coll {

Error Allreduce::check() const { return arguments.check(true, true); }

CollectiveSignature make_signature(const Allreduce& call) {
  return make_signature(Kind::allreduce, call.arguments.contribution(), call.arguments.reduction());
}

}  // namespace atl::coll
