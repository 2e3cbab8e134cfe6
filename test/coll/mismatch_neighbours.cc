// Collectives among neighbours that do not match: another kind, another collective of the
// whole communicator, or the two ranks of an edge of different opinions on its data.
#include "test/coll/mismatch.h"

#include <vector>

namespace {

using mismatch::Case;

constexpr int kMost = 100000;  // of one block
std::vector<int> out, in;
int counts[2], displs[2];

// On a ring: two neighbours each.
int allgather(int count, MPI_Comm comm) {
  return MPI_Neighbor_allgather(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm);
}
int alltoall(int count, MPI_Comm comm) {
  return MPI_Neighbor_alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm);
}
int alltoallv(int count, MPI_Comm comm) {
  counts[0] = counts[1] = count;
  return MPI_Neighbor_alltoallv(out.data(), counts, displs, MPI_INT, in.data(), counts, displs,
                                MPI_INT, comm);
}
int ialltoall(int count, MPI_Comm comm) {
  MPI_Request request;
  return mismatch::test(
      MPI_Ineighbor_alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm, &request),
      &request);
}
int persistent(int count, MPI_Comm comm) {
  MPI_Request request;
  int code = MPI_Neighbor_alltoall_init(out.data(), count, MPI_INT, in.data(), count, MPI_INT, comm,
                                        MPI_INFO_NULL, &request);
  if (code != MPI_SUCCESS) return code;
  code = mismatch::wait(MPI_Start(&request), &request);
  MPI_Request_free(&request);
  return code;
}
int barrier(MPI_Comm comm) { return MPI_Barrier(comm); }

const Case cases[] = {
    {"to all and to each", [](MPI_Comm comm) { return allgather(1, comm); },
     [](MPI_Comm comm) { return alltoall(1, comm); }, MPI_ERR_OTHER, "MPI_Neighbor_allgather"},
    {"each its count or not", [](MPI_Comm comm) { return alltoall(1, comm); },
     [](MPI_Comm comm) { return alltoallv(1, comm); }, MPI_ERR_OTHER, "MPI_Neighbor_alltoallv"},
    {"and a barrier", [](MPI_Comm comm) { return alltoall(1, comm); }, barrier, MPI_ERR_OTHER,
     "MPI_Neighbor_alltoall"},
    {"long, and a barrier", barrier, [](MPI_Comm comm) { return alltoall(kMost, comm); },
     MPI_ERR_OTHER, "MPI_Neighbor_alltoall"},
    {"and all of the communicator",
     [](MPI_Comm comm) {
       return MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm);
     },
     [](MPI_Comm comm) { return alltoall(1, comm); }, MPI_ERR_OTHER, "MPI_Alltoall "},
    {"tested", barrier, [](MPI_Comm comm) { return ialltoall(kMost, comm); }, MPI_ERR_OTHER,
     "MPI_Neighbor_alltoall"},
    {"persistent and not", [](MPI_Comm comm) { return alltoall(kMost, comm); },
     [](MPI_Comm comm) { return persistent(kMost, comm); }, MPI_ERR_OTHER,
     "MPI_Neighbor_alltoall (persistent)"},
};

// Rank 0 has `count` integers where its neighbours have `others`: those who have an edge
// with it see that, and what they do next is not touched.
void lengths(MPI_Comm ring, int count, int others, int (*call)(int, MPI_Comm)) {
  check::set_case("rank 0 has %d, the others %d", count, others);
  const bool edge = check::rank <= 1 || check::rank == check::size - 1;
  const int mine = check::rank == 0 ? count : others;
  const int theirs = check::rank == 0 ? others : count;
  const int code = call(mine, ring);
  CHECK_EQ(code != MPI_SUCCESS, edge);
  if (edge) {
    CHECK_EQ(check::error_class(code), theirs > mine ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
    const std::string text = check::error_text(code);
    CHECK(text.find("gives " + std::to_string(4 * theirs) + " bytes") != std::string::npos);
    CHECK(text.find("expects " + std::to_string(4 * mine)) != std::string::npos);
  }
  mismatch::check_next(ring);
  CHECK_EQ(call(others, ring), MPI_SUCCESS);
  CHECK_EQ(MPI_Barrier(ring), MPI_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  out.resize(2 * kMost);
  in.resize(2 * kMost);
  displs[1] = kMost;
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &check::size, &periodic, 0, &ring);
  MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
  mismatch::run_all(cases, ring);
  for (const auto call : {allgather, alltoall, alltoallv, ialltoall}) {
    lengths(ring, 3, 2, call);
    lengths(ring, 0, 2, call);
    lengths(ring, kMost, 1, call);
    lengths(ring, kMost - 1, kMost, call);
  }
  MPI_Comm_free(&ring);
  return check::finish();
}
