// What does not match on one group, through the collective buffer and by messages.
#include "test/coll/mismatch.h"

#include <vector>

namespace {

using mismatch::Case;

constexpr int kLong = 300000;  // of several steps
int ints[kLong];
int result[kLong];

int bcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return MPI_Bcast(ints, count, type, root, comm);
}
// Among few ranks what is longer goes by messages.
int long_bcast() { return check::size > 4 ? kLong : 20000; }
int reduce(MPI_Op op, int root, MPI_Comm comm, int count = 2) {
  return MPI_Reduce(ints, result, count, MPI_INT, op, root, comm);
}
int allreduce(int count, MPI_Op op, MPI_Comm comm) {
  return MPI_Allreduce(ints, result, count, MPI_INT, op, comm);
}
int barrier(MPI_Comm comm) { return MPI_Barrier(comm); }

int ibarrier(MPI_Comm comm) {
  MPI_Request request;
  return mismatch::wait(MPI_Ibarrier(comm, &request), &request);
}
int ibarrier_tested(MPI_Comm comm) {
  MPI_Request request;
  return mismatch::test(MPI_Ibarrier(comm, &request), &request);
}

int gather(int root, MPI_Comm comm, int count = 1) {
  static std::vector<int> all;
  all.resize(static_cast<std::size_t>(check::size) * static_cast<std::size_t>(count));
  return MPI_Gather(ints, count, MPI_INT, all.data(), count, MPI_INT, root, comm);
}
int gatherv(int root, MPI_Comm comm) {
  const std::vector<int> counts(check::size, 1), displs(check::size, 0);
  return MPI_Gatherv(ints, 1, MPI_INT, result, counts.data(), displs.data(), MPI_INT, root, comm);
}
// Each pair has so many integers; all come to the same place.
int alltoallv(int count, MPI_Comm comm) {
  const std::vector<int> counts(check::size, count), displs(check::size, 0);
  return MPI_Alltoallv(ints, counts.data(), displs.data(), MPI_INT, result, counts.data(),
                       displs.data(), MPI_INT, comm);
}
int ialltoallv_tested(int count, MPI_Comm comm) {
  const std::vector<int> counts(check::size, count), displs(check::size, 0);
  MPI_Request request;
  return mismatch::test(MPI_Ialltoallv(ints, counts.data(), displs.data(), MPI_INT, result,
                                       counts.data(), displs.data(), MPI_INT, comm, &request),
                        &request);
}
int allgatherv(const std::vector<int>& counts, MPI_Comm comm) {
  const std::vector<int> displs(check::size, 0);
  return MPI_Allgatherv(ints, counts[check::rank], MPI_INT, result, counts.data(), displs.data(),
                        MPI_INT, comm);
}
int reduce_scatter(const std::vector<int>& counts, MPI_Comm comm) {
  return MPI_Reduce_scatter(ints, result, counts.data(), MPI_INT, MPI_SUM, comm);
}
// The last one has so many more, the first one so many less.
std::vector<int> shares(int more) {
  std::vector<int> counts(check::size, 2);
  counts.front() -= more;
  counts.back() += more;
  return counts;
}

// Values that do not lie in a run: along the ranks by messages.
int scan(MPI_Comm comm) {
  MPI_Datatype apart;
  MPI_Op keep;
  MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
  MPI_Type_commit(&apart);
  MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &keep);
  const int code = MPI_Scan(ints, result, 1, apart, keep, comm);
  MPI_Op_free(&keep);
  MPI_Type_free(&apart);
  return code;
}

// Makes, starts and completes it.
int persistent_bcast(int count, int root, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Bcast_init(ints, count, MPI_INT, root, comm, MPI_INFO_NULL, &request);
  if (code != MPI_SUCCESS) return code;
  code = mismatch::wait(MPI_Start(&request), &request);
  // Again, in vain.
  if (code != MPI_SUCCESS) code = mismatch::wait(MPI_Start(&request), &request);
  MPI_Request_free(&request);
  return code;
}

const Case cases[] = {
    {"barrier and allreduce", barrier, [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); },
     MPI_ERR_OTHER, "MPI_Barrier"},
    {"bcast and barrier", [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); }, barrier,
     MPI_ERR_OTHER, "MPI_Bcast with root 0"},
    {"roots of bcast", [](MPI_Comm comm) { return bcast(1, MPI_INT, 1, comm); },
     [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); }, MPI_ERR_ROOT, "root 1"},
    {"lengths of bcast", [](MPI_Comm comm) { return bcast(3, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return bcast(2, MPI_INT, 0, comm); }, MPI_ERR_COUNT, "12 bytes"},
    {"types of bcast", [](MPI_Comm comm) { return bcast(2, MPI_FLOAT, 0, comm); },
     [](MPI_Comm comm) { return bcast(2, MPI_INT, 0, comm); }, MPI_ERR_TYPE, "4-byte integers"},
    {"operations of allreduce", [](MPI_Comm comm) { return allreduce(2, MPI_SUM, comm); },
     [](MPI_Comm comm) { return allreduce(2, MPI_MAX, comm); }, MPI_ERR_OP, "MPI_MAX"},
    {"counts of allreduce", [](MPI_Comm comm) { return allreduce(2, MPI_SUM, comm); },
     [](MPI_Comm comm) { return allreduce(3, MPI_SUM, comm); }, MPI_ERR_COUNT, "12 bytes"},
    {"long bcast and barrier", [](MPI_Comm comm) { return bcast(long_bcast(), MPI_INT, 0, comm); },
     barrier, MPI_ERR_OTHER, "MPI_Bcast with root 0"},
    {"lengths of bcast, several steps and one",
     [](MPI_Comm comm) { return bcast(kLong, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return bcast(2, MPI_INT, 0, comm); }, MPI_ERR_COUNT, "1200000 bytes"},
    {"long counts of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm, 30000); },
     [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm, kLong); }, MPI_ERR_COUNT, "120000 bytes"},
    {"non-blocking and blocking", ibarrier,
     [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); }, MPI_ERR_OTHER, "MPI_Barrier"},
    {"tested and blocking", ibarrier_tested,
     [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); }, MPI_ERR_OTHER, "MPI_Barrier"},
    {"gatherv and barrier", barrier, [](MPI_Comm comm) { return gatherv(0, comm); }, MPI_ERR_OTHER,
     "MPI_Gatherv with root 0"},
    {"operations of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); },
     [](MPI_Comm comm) { return reduce(MPI_PROD, 0, comm); }, MPI_ERR_OP, "MPI_PROD"},
    {"how much each rank gives", [](MPI_Comm comm) { return allgatherv(shares(0), comm); },
     [](MPI_Comm comm) { return allgatherv(shares(1), comm); }, MPI_ERR_COUNT, "MPI_Allgatherv"},
    {"how much each rank gets", [](MPI_Comm comm) { return reduce_scatter(shares(0), comm); },
     [](MPI_Comm comm) { return reduce_scatter(shares(2), comm); }, MPI_ERR_COUNT,
     "MPI_Reduce_scatter with MPI_SUM"},
    // Who waits for a message that never comes.
    {"all to all by messages, and a barrier", [](MPI_Comm comm) { return alltoallv(2, comm); },
     barrier, MPI_ERR_OTHER, "MPI_Alltoallv"},
    {"long ones, and a broadcast", [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return alltoallv(kLong, comm); }, MPI_ERR_OTHER, "MPI_Alltoallv"},
    {"tested by messages, and a gather", [](MPI_Comm comm) { return gather(1, comm); },
     [](MPI_Comm comm) { return ialltoallv_tested(kLong, comm); }, MPI_ERR_OTHER, "MPI_Gather"},
    {"long bcasts from two roots", [](MPI_Comm comm) { return bcast(kLong, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return bcast(kLong, MPI_INT, 1, comm); }, MPI_ERR_ROOT, "root 1"},
    {"along the ranks, and a reduction", scan,
     [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); }, MPI_ERR_OTHER, "MPI_Scan"},
    // Neither waits for the other.
    {"root of bcast, leaf of gather", [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return gather(0, comm); }, MPI_ERR_OTHER, "MPI_Gather"},
    {"root of a long bcast, leaf of reduce",
     [](MPI_Comm comm) { return bcast(40000, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); }, MPI_ERR_OTHER, "MPI_Reduce"},
    {"leaf of a long reduce, root of bcast",
     [](MPI_Comm comm) { return reduce(MPI_SUM, 1, comm, 40000); },
     [](MPI_Comm comm) { return bcast(1, MPI_INT, 1, comm); }, MPI_ERR_OTHER, "MPI_Reduce"},
    {"each is the root", [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return bcast(1, MPI_INT, check::rank, comm); }, MPI_ERR_ROOT, "MPI_Bcast"},
    {"each is a leaf", [](MPI_Comm comm) { return gather(1, comm); },
     [](MPI_Comm comm) { return gather(0, comm, 3000); }, MPI_ERR_ROOT, "MPI_Gather"},
    // Persistent ones match when they are made.
    {"persistent and not", barrier, [](MPI_Comm comm) { return persistent_bcast(1, 1, comm); },
     MPI_ERR_OTHER, "MPI_Bcast (persistent)"},
    {"roots of persistent bcast", [](MPI_Comm comm) { return persistent_bcast(1, 0, comm); },
     [](MPI_Comm comm) { return persistent_bcast(1, 1, comm); }, MPI_ERR_ROOT, "root 1"},
    {"lengths of persistent bcast", [](MPI_Comm comm) { return persistent_bcast(kLong, 0, comm); },
     [](MPI_Comm comm) { return persistent_bcast(1, 0, comm); }, MPI_ERR_COUNT, "1200000 bytes"},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  if (check::size > 1) mismatch::run_all(cases, MPI_COMM_WORLD);
  CHECK(true);
  return check::finish();
}
