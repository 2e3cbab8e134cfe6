// All collective operations of MPI 5.0, 6.3 to 6.11, for the entry points.
#pragma once

#include "runtime/coll/allgather/allgather.h"
#include "runtime/coll/allreduce/allreduce.h"
#include "runtime/coll/alltoall/alltoall.h"
#include "runtime/coll/barrier/barrier.h"
#include "runtime/coll/bcast/bcast.h"
#include "runtime/coll/gather/gather.h"
#include "runtime/coll/reduce/reduce.h"
#include "runtime/coll/reduce_scatter/reduce_scatter.h"
#include "runtime/coll/scan/scan.h"
#include "runtime/coll/scatter/scatter.h"

namespace atl::coll {

// Instantiated in selection_table.cc, where the compiler can inline the choice and the flat
// algorithms.
extern template Error run(const Barrier&);
extern template Error run(const Bcast&);
extern template Error run(const Gather&);
extern template Error run(const Scatter&);
extern template Error run(const Allgather&);
extern template Error run(const Alltoall&);
extern template Error run(const Reduce&);
extern template Error run(const Allreduce&);
extern template Error run(const ReduceScatter&);
extern template Error run(const Scan&);
extern template Error run(const Exscan&);

}  // namespace atl::coll
