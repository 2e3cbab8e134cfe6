#include "runtime/coll/bcast/bcast.h"

#include "runtime/coll/framework/blocks.h"
#include "runtime/coll/framework/inter_roots.h"

namespace atl::coll {

Error Bcast::check() const {
  if (root == MPI_PROC_NULL) return {};
  return check_data({"buffer", "count", "datatype"}, data.address, count, data.type);
}

CollectiveSignature make_signature(const Bcast& call) {
  return make_signature(Kind::bcast, call.data, call.root);
}

CollectiveSignature make_signature_between_groups(const Bcast& call, const Channel& channel) {
  const Data data = call.root == MPI_PROC_NULL ? nothing() : call.data;
  return make_signature(Kind::bcast, data, root_between_groups(channel, call.root));
}

}  // namespace atl::coll
