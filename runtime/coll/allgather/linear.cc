#include "runtime/coll/allgather/allgather.h"
#include "runtime/coll/framework/linear_exchange.h"

namespace atl::coll::messages {

Task linear_allgather(const Allgather& call, Operation& operation) {
  const bool in_place = call.mine.in_place();
  const Data own = in_place ? call.all[call.comm.rank()] : call.mine[0];
  begin_exchange(
      operation, call.comm, [&](int) { return own; }, [&](int rank) { return call.all[rank]; });
  if (!call.comm.is_inter() && !in_place) copy(own, call.all[call.comm.rank()]);
  co_await operation.settled();
}

}  // namespace atl::coll::messages
