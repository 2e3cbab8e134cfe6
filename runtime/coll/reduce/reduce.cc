#include "runtime/coll/reduce/reduce.h"

#include "runtime/coll/framework/inter_roots.h"

namespace atl::coll {

Error Reduce::check() const {
  if (root == MPI_PROC_NULL) return {};
  if (!comm.is_inter()) return arguments.check(true, comm.rank() == root);
  return arguments.check(root != MPI_ROOT, root == MPI_ROOT);
}

CollectiveSignature make_signature(const Reduce& call) {
  return make_signature(Kind::reduce, call.arguments.contribution(), call.arguments.reduction(),
                        call.root);
}

CollectiveSignature make_signature_between_groups(const Reduce& call, const Channel& channel) {
  const int root = root_between_groups(channel, call.root);
  if (call.root == MPI_PROC_NULL) return make_signature(Kind::reduce, nothing(), root);
  return make_signature(Kind::reduce, call.arguments.contribution(), call.arguments.reduction(),
                        root);
}

}  // namespace atl::coll
