// Buffers of a collective that overlap, without MPI_IN_PLACE: named where it is sure, and let
// alone where it is not.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

#define EXPECT_OVERLAP(name, iname, ...)                                             \
  do {                                                                               \
    Untouched<MPI_Request> request;                                                  \
    EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "", MPI_##name(__VA_ARGS__));            \
    EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "", MPI_##name##_c(__VA_ARGS__));        \
    EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "", MPI_##iname(__VA_ARGS__, &request)); \
    EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",                                      \
                 MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request));           \
  } while (false)

// Of a group of one, so that each rank is the root.
void one_rank() {
  const MPI_Comm self = MPI_COMM_SELF;
  double data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const int apart : {0, 1, 3}) {
    double* there = data + apart;
    EXPECT_OVERLAP(Gather, Igather, data, 4, MPI_DOUBLE, there, 4, MPI_DOUBLE, 0, self);
    EXPECT_OVERLAP(Scatter, Iscatter, there, 4, MPI_DOUBLE, data, 4, MPI_DOUBLE, 0, self);
    EXPECT_OVERLAP(Allgather, Iallgather, data, 4, MPI_DOUBLE, there, 32, MPI_BYTE, self);
    EXPECT_OVERLAP(Alltoall, Ialltoall, there, 4, MPI_DOUBLE, data, 4, MPI_DOUBLE, self);
    EXPECT_OVERLAP(Reduce, Ireduce, data, there, 4, MPI_DOUBLE, MPI_SUM, 0, self);
    EXPECT_OVERLAP(Allreduce, Iallreduce, there, data, 4, MPI_DOUBLE, MPI_SUM, self);
    EXPECT_OVERLAP(Reduce_scatter_block, Ireduce_scatter_block, data, there, 4, MPI_DOUBLE, MPI_SUM,
                   self);
    EXPECT_OVERLAP(Scan, Iscan, data, there, 4, MPI_DOUBLE, MPI_SUM, self);
  }
  CHECK_EQ(data[3], 4.0);
  // Next to each other, and without elements: nothing overlaps. Rank 0 of MPI_Exscan gets nothing.
  CHECK_EQ(MPI_Allreduce(data, data + 4, 4, MPI_DOUBLE, MPI_SUM, self), MPI_SUCCESS);
  CHECK_EQ(MPI_Allreduce(data + 4, data, 4, MPI_DOUBLE, MPI_SUM, self), MPI_SUCCESS);
  CHECK_EQ(MPI_Allgather(data, 0, MPI_DOUBLE, data, 0, MPI_DOUBLE, self), MPI_SUCCESS);
  CHECK_EQ(MPI_Exscan(data, data, 1, MPI_DOUBLE, MPI_SUM, self), MPI_SUCCESS);
  CHECK_EQ(MPI_Allreduce(MPI_IN_PLACE, data, 4, MPI_DOUBLE, MPI_SUM, self), MPI_SUCCESS);
}

// Blocks of several ranks with places of their own.
void blocks() {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int size = check::size;
  std::vector<int> data(4 * size, 1), ones(size, 1), even(size), odd(size), last(size);
  std::vector<MPI_Count> large(size, 1);
  for (int i = 0; i < size; ++i) {
    even[i] = 2 * i;
    odd[i] = 2 * i + 1;
    last[i] = 4 * size - 1 - i;
  }
  Untouched<MPI_Request> request;
  // Interleaved, and nothing overlaps.
  CHECK_EQ(MPI_Alltoallv(data.data(), ones.data(), even.data(), MPI_INT, data.data(), ones.data(),
                         odd.data(), MPI_INT, world),
           MPI_SUCCESS);
  CHECK_EQ(
      MPI_Allgatherv(data.data(), 1, MPI_INT, data.data(), ones.data(), odd.data(), MPI_INT, world),
      MPI_SUCCESS);
  // One block of all is the same.
  even[size - 1] = 4 * size - 1;
  EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",
               MPI_Alltoallv(data.data(), ones.data(), even.data(), MPI_INT, data.data(),
                             ones.data(), last.data(), MPI_INT, world));
  EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",
               MPI_Allgatherv(&data[4 * size - 1], 1, MPI_INT, data.data(), ones.data(),
                              last.data(), MPI_INT, world));
  EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",
               MPI_Ialltoallv(data.data(), ones.data(), even.data(), MPI_INT, data.data(),
                              ones.data(), last.data(), MPI_INT, world, &request));
  std::vector<MPI_Datatype> types(size, MPI_INT);
  std::vector<int> bytes(size);
  for (int i = 0; i < size; ++i) bytes[i] = int(sizeof(int)) * i;
  EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",
               MPI_Alltoallw(data.data(), ones.data(), bytes.data(), types.data(), data.data(),
                             ones.data(), bytes.data(), types.data(), world));
  EXPECT_ERROR(
      MPI_ERR_BUFFER, "overlap", "",
      MPI_Reduce_scatter(data.data(), &data[size - 1], ones.data(), MPI_INT, MPI_SUM, world));
}

// Types with gaps: the other buffer may be in them.
void gaps() {
  MPI_Datatype every_second;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second);
  MPI_Type_commit(&every_second);
  int data[8] = {1, 0, 2, 0, 3, 0, 4, 0};
  CHECK_EQ(MPI_Allgather(data, 4, every_second, data + 1, 4, every_second, MPI_COMM_SELF),
           MPI_SUCCESS);
  CHECK_EQ(data[7], 4);
  // The first byte of both is sure.
  EXPECT_ERROR(MPI_ERR_BUFFER, "overlap", "",
               MPI_Allgather(data, 4, every_second, data, 4, every_second, MPI_COMM_SELF));
  MPI_Type_free(&every_second);
}

void neighbours() {
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &check::size, &periodic, 0, &ring);
  int data[8] = {};
  EXPECT_OVERLAP(Neighbor_allgather, Ineighbor_allgather, data + 1, 1, MPI_INT, data, 1, MPI_INT,
                 ring);
  EXPECT_OVERLAP(Neighbor_alltoall, Ineighbor_alltoall, data, 1, MPI_INT, data + 1, 1, MPI_INT,
                 ring);
  CHECK_EQ(MPI_Neighbor_alltoall(data, 1, MPI_INT, data + 2, 1, MPI_INT, ring), MPI_SUCCESS);
  MPI_Comm_free(&ring);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  if (check::on_atoll()) {
    one_rank();
    blocks();
    gaps();
    neighbours();
  } else {
    check::passed();
  }
  return check::finish();
}
