// Collectives between two groups: the even ranks and the odd ones.
#include <numeric>
#include <vector>

#include "test/check.h"

namespace {

MPI_Comm inter = MPI_COMM_NULL;
int rank = -1;   // in the own group
int mine = 0;    // ranks there
int theirs = 0;  // in the other group
bool even = false;

// What rank r of the even or the odd group gives.
int value(bool of_even, int r) { return (of_even ? 100 : 1000) + r; }

std::vector<int> values(bool of_even, int count) {
  std::vector<int> all(count);
  for (int r = 0; r < count; ++r) all[r] = value(of_even, r);
  return all;
}

// The even group has the root, its last rank.
int root() {
  if (!even) return theirs - 1;
  return rank == mine - 1 ? MPI_ROOT : MPI_PROC_NULL;
}

void bcast() {
  check::set_case("bcast");
  int data = root() == MPI_ROOT ? 42 : -1;
  MPI_Bcast(&data, 1, MPI_INT, root(), inter);
  CHECK_EQ(data, !even || root() == MPI_ROOT ? 42 : -1);
}

void gather_and_scatter() {
  check::set_case("gather and scatter");
  const int own = value(even, rank);
  std::vector<int> all(root() == MPI_ROOT ? theirs : 0);
  MPI_Gather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, root(), inter);
  if (root() == MPI_ROOT) CHECK(all == values(false, theirs));
  int back = -1;
  MPI_Scatter(all.data(), 1, MPI_INT, &back, 1, MPI_INT, root(), inter);
  CHECK_EQ(back, even ? -1 : own);
}

void everybody() {
  check::set_case("allgather and alltoall");
  const int own = value(even, rank);
  std::vector<int> all(theirs, -1);
  MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, inter);
  CHECK(all == values(!even, theirs));
  std::vector<int> out(theirs);
  for (int r = 0; r < theirs; ++r) out[r] = own * 100 + r;
  std::vector<int> in(theirs, -1);
  MPI_Request request;
  MPI_Ialltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, inter, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; r < theirs; ++r) CHECK_EQ(in[r], value(!even, r) * 100 + rank);
}

int sum(bool of_even, int count) {
  const std::vector<int> all = values(of_even, count);
  return std::accumulate(all.begin(), all.end(), 0);
}

void reductions() {
  check::set_case("reductions");
  const int own = value(even, rank);
  int result = -1;
  MPI_Reduce(&own, &result, 1, MPI_INT, MPI_SUM, root(), inter);
  CHECK_EQ(result, root() == MPI_ROOT ? sum(false, theirs) : -1);
  MPI_Allreduce(&own, &result, 1, MPI_INT, MPI_SUM, inter);
  CHECK_EQ(result, sum(!even, theirs));
  // As many values on both sides: each rank of one gets as many as the other has ranks.
  std::vector<int> many(mine * theirs, own);
  std::vector<int> part(theirs, -1);
  MPI_Reduce_scatter_block(many.data(), part.data(), theirs, MPI_INT, MPI_SUM, inter);
  for (const int one : part) CHECK_EQ(one, sum(!even, theirs));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  even = check::rank % 2 == 0;
  MPI_Comm group;
  MPI_Comm_split(MPI_COMM_WORLD, even, check::rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, even ? 1 : 0, 1, &inter);
  MPI_Comm_rank(inter, &rank);
  MPI_Comm_size(inter, &mine);
  MPI_Comm_remote_size(inter, &theirs);
  for (int round = 0; round < 20; ++round) {
    MPI_Barrier(inter);
    bcast();
    gather_and_scatter();
    everybody();
    reductions();
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&group);
  return check::finish();
}
