#include "runtime/coll/scan/scan.h"

namespace atl::coll {

Error Prefix::check() const {
  if (comm.is_inter()) {
    return make_error(MPI_ERR_COMM,
                      "comm=%s is an inter-communicator, on which this is not defined",
                      comm.label().c_str());
  }
  return arguments.check(true, !exclusive || comm.rank() != 0);
}

CollectiveSignature make_signature(const Prefix& call) {
  return make_signature(call.exclusive ? Kind::exscan : Kind::scan, call.arguments.contribution(),
                        call.arguments.reduction());
}

}  // namespace atl::coll
