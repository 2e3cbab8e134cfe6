// Disjoint groups do not wait for each other: while one half of the ranks makes
// communicators in every way, the other is blocked in a receive that ends only
// when all of that is done.
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

using comms::Ranks;

constexpr int kDone = 9;  // tag

int parity() { return check::rank % 2; }

Ranks ranks_of(int half) {
  Ranks ranks;
  for (int rank = half; rank < check::size; rank += 2) ranks.push_back(rank);
  return ranks;
}

void use_and_free(MPI_Comm made, int value) {
  comms::check_exchange(made, value);
  MPI_Comm_free(&made);
}

void copies(MPI_Comm half) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_dup(half, &made);
  use_and_free(made, 1);
  MPI_Comm_dup_with_info(half, MPI_INFO_NULL, &made);
  use_and_free(made, 2);
  MPI_Comm_idup(half, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  use_and_free(made, 3);
}

void parts(MPI_Comm half) {
  MPI_Comm made;
  MPI_Comm_split(half, check::rank % 4, check::rank, &made);
  use_and_free(made, 4);
  MPI_Comm_split_type(half, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  use_and_free(made, 5);
}

// Of a group, with the whole world for a parent or with none.
void of_groups(MPI_Comm half) {
  MPI_Comm made;
  MPI_Group group;
  MPI_Comm_group(half, &group);
  MPI_Comm_create(half, group, &made);
  use_and_free(made, 6);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &made);
  use_and_free(made, 7);
#if MPI_LEVEL >= 40
  MPI_Comm_create_from_group(group, "org.example.half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  use_and_free(made, 8);
#endif
  MPI_Group_free(&group);
}

void topologies(MPI_Comm half) {
  MPI_Comm made;
  int size = 0, rank = -1;
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &rank);
  const int periodic = 1, index[] = {0}, next = (rank + 1) % size;
  MPI_Cart_create(half, 1, &size, &periodic, 1, &made);
  use_and_free(made, 9);
  MPI_Graph_create(half, 1, index, index, 1, &made);
  if (made != MPI_COMM_NULL) use_and_free(made, 10);
  MPI_Dist_graph_create(half, 1, &rank, &periodic, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &made);
  use_and_free(made, 11);
}

void between_groups(MPI_Comm half) {
  MPI_Comm quarter, inter, made;
  int size = 0, rank = -1;
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &rank);
  if (size < 2) return;
  MPI_Comm_split(half, rank % 2, rank, &quarter);
  MPI_Intercomm_create(quarter, 0, half, 1 - rank % 2, 5, &inter);
  MPI_Intercomm_merge(inter, rank % 2, &made);
  use_and_free(made, 12);
  MPI_Comm_dup(inter, &made);
  use_and_free(made, 13);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&quarter);
}

void make_all(MPI_Comm half) {
  copies(half);
  parts(half);
  of_groups(half);
  topologies(half);
  between_groups(half);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, parity(), check::rank, &half);
  for (int round = 0; round < 10; ++round) {
    const int at_work = round % 2;
    check::set_case("round %d", round);
    if (parity() == at_work) {
      make_all(half);
      MPI_Barrier(half);
      if (check::rank != at_work) continue;
      for (int rank : ranks_of(1 - at_work)) {
        MPI_Send(nullptr, 0, MPI_INT, rank, kDone, MPI_COMM_WORLD);
      }
    } else if (check::size > 1) {
      MPI_Recv(nullptr, 0, MPI_INT, at_work, kDone, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check::passed();
    }
  }
  MPI_Comm_free(&half);
  return check::finish();
}
