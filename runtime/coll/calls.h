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

// Compiled where the tables are (selection_table.cc): there the compiler can inline the choice and
// the flat algorithms.
extern template Fault run(const Barrier&);
extern template Fault run(const Bcast&);
extern template Fault run(const Gather&);
extern template Fault run(const Scatter&);
extern template Fault run(const Allgather&);
extern template Fault run(const Alltoall&);
extern template Fault run(const Reduce&);
extern template Fault run(const Allreduce&);
extern template Fault run(const ReduceScatter&);
extern template Fault run(const Scan&);
extern template Fault run(const Exscan&);

}  // namespace atl::coll
