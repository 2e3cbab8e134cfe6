// What does not match between two groups: the even ranks and the odd ones. Rank 0 alone
// calls something else; with more than three ranks it has others in its group.
#include "test/coll/mismatch.h"

#include <vector>

namespace {

using mismatch::Case;

constexpr int kLong = 100000;
int ints[kLong];
std::vector<int> result;

bool even() { return check::rank % 2 == 0; }
// As arguments: the root is a rank of the even group, or of the odd one.
int even_root(int root) {
  if (!even()) return root;
  return check::rank == 2 * root ? MPI_ROOT : MPI_PROC_NULL;
}
int odd_root(int root) {
  if (even()) return root;
  return check::rank == 2 * root + 1 ? MPI_ROOT : MPI_PROC_NULL;
}

int barrier(MPI_Comm comm) { return MPI_Barrier(comm); }
int bcast(int root, MPI_Comm comm, int count = 1) {
  return MPI_Bcast(ints, count, MPI_INT, root, comm);
}
int gather(int root, MPI_Comm comm, int count = 1) {
  result.resize(static_cast<std::size_t>(check::size * count));
  return MPI_Gather(ints, count, MPI_INT, result.data(), count, MPI_INT, root, comm);
}
int scatter(int root, MPI_Comm comm) {
  result.resize(static_cast<std::size_t>(check::size));
  return MPI_Scatter(ints, 1, MPI_INT, result.data(), 1, MPI_INT, root, comm);
}
int allgather(MPI_Comm comm) {
  result.resize(static_cast<std::size_t>(check::size));
  return MPI_Allgather(ints, 1, MPI_INT, result.data(), 1, MPI_INT, comm);
}
int alltoall(MPI_Comm comm) {
  result.resize(static_cast<std::size_t>(check::size));
  return MPI_Alltoall(ints, 1, MPI_INT, result.data(), 1, MPI_INT, comm);
}
int reduce(MPI_Op op, int root, MPI_Comm comm) {
  result.resize(2);
  return MPI_Reduce(ints, result.data(), 2, MPI_INT, op, root, comm);
}
int allreduce(int count, MPI_Op op, MPI_Comm comm) {
  result.resize(kLong);
  return MPI_Allreduce(ints, result.data(), count, MPI_INT, op, comm);
}
int ibcast(int root, MPI_Comm comm) {
  MPI_Request request;
  return mismatch::test(MPI_Ibcast(ints, kLong, MPI_INT, root, comm, &request), &request);
}
int persistent_gather(int root, MPI_Comm comm) {
  result.resize(static_cast<std::size_t>(check::size));
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Gather_init(ints, 1, MPI_INT, result.data(), 1, MPI_INT, root, comm, MPI_INFO_NULL,
                             &request);
  if (code != MPI_SUCCESS) return code;
  code = mismatch::wait(MPI_Start(&request), &request);
  MPI_Request_free(&request);
  return code;
}

const Case cases[] = {
    {"barrier and allgather", barrier, allgather, MPI_ERR_OTHER, "MPI_Barrier"},
    {"barrier and bcast", barrier, [](MPI_Comm comm) { return bcast(even_root(0), comm); },
     MPI_ERR_OTHER, "MPI_Bcast"},
    {"allgather and alltoall", allgather, alltoall, MPI_ERR_OTHER, "MPI_Alltoall"},
    {"gather and scatter", [](MPI_Comm comm) { return gather(even_root(0), comm); },
     [](MPI_Comm comm) { return scatter(even_root(0), comm); }, MPI_ERR_OTHER, "MPI_Scatter"},
    {"nobody is the root", [](MPI_Comm comm) { return bcast(MPI_PROC_NULL, comm); },
     [](MPI_Comm comm) { return bcast(even_root(0), comm); }, MPI_ERR_ROOT,
     "root process 0 of the job"},
    {"roots in both groups", [](MPI_Comm comm) { return gather(even_root(0), comm); },
     [](MPI_Comm comm) { return gather(odd_root(0), comm); }, MPI_ERR_ROOT,
     "MPI_Gather with root "},
    {"all groups look on", [](MPI_Comm comm) { return scatter(MPI_PROC_NULL, comm); },
     [](MPI_Comm comm) { return scatter(MPI_PROC_NULL, comm); }, MPI_ERR_ROOT, "MPI_PROC_NULL"},
    {"a root each names", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); },
     [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); }, MPI_ERR_ROOT, "MPI_Reduce"},
    {"all are roots", [](MPI_Comm comm) { return bcast(MPI_ROOT, comm); },
     [](MPI_Comm comm) { return bcast(MPI_ROOT, comm); }, MPI_ERR_ROOT, "MPI_Bcast"},
    {"operations of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, even_root(0), comm); },
     [](MPI_Comm comm) { return reduce(MPI_PROD, even_root(0), comm); }, MPI_ERR_OP, "MPI_PROD"},
    {"operations of allreduce", [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); },
     [](MPI_Comm comm) { return allreduce(1, MPI_MAX, comm); }, MPI_ERR_OP, "MPI_MAX"},
    {"counts of allreduce", [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); },
     [](MPI_Comm comm) { return allreduce(kLong, MPI_SUM, comm); }, MPI_ERR_COUNT, "400000 bytes"},
    {"lengths of bcast", [](MPI_Comm comm) { return bcast(even_root(0), comm, kLong); },
     [](MPI_Comm comm) { return bcast(even_root(0), comm); }, MPI_ERR_COUNT, "400000 bytes"},
    {"lengths of gather", [](MPI_Comm comm) { return gather(even_root(0), comm, 2); },
     [](MPI_Comm comm) { return gather(even_root(0), comm); }, MPI_ERR_COUNT, "8 bytes"},
    {"tested", [](MPI_Comm comm) { return ibcast(even_root(0), comm); }, barrier, MPI_ERR_OTHER,
     "MPI_Bcast with root process 0 of the job"},
    {"persistent", [](MPI_Comm comm) { return persistent_gather(MPI_PROC_NULL, comm); },
     [](MPI_Comm comm) { return persistent_gather(even_root(0), comm); }, MPI_ERR_ROOT,
     "MPI_Gather (persistent)"},
};

// Those who need a second member of the first group: it says something else than the first.
const Case cases_of_three[] = {
    {"another rank of the group", [](MPI_Comm comm) { return bcast(even_root(1), comm); },
     [](MPI_Comm comm) { return bcast(even_root(0), comm); }, MPI_ERR_ROOT,
     "root process 0 of the job"},
    {"two roots in a group", [](MPI_Comm comm) { return bcast(MPI_ROOT, comm); },
     [](MPI_Comm comm) { return bcast(even_root(1), comm); }, MPI_ERR_ROOT,
     "root process 2 of the job"},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm group, inter;
  MPI_Comm_split(MPI_COMM_WORLD, even(), check::rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, even() ? 1 : 0, 1, &inter);
  mismatch::run_all(cases, inter);
  if (check::size > 2) mismatch::run_all(cases_of_three, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&group);
  return check::finish();
}
