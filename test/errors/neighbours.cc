// Bad arguments to the neighbourhood collectives, in all their forms. All ranks
// give the same, so that all find the error, and nobody waits.
#include <string>
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

constexpr int kBlocks = 4;  // of a grid of two dimensions

// An array of one value, as the plain forms and the large ones want it.
struct Array {
  explicit Array(int value) : ints(kBlocks, value), counts(kBlocks, value) {}
  operator const int*() const { return ints.data(); }
  operator const MPI_Count*() const { return counts.data(); }

  std::vector<int> ints;
  std::vector<MPI_Count> counts;
};

// What is not wrong.
const Array ones(1), zeros(0);
const std::vector<MPI_Datatype> ints(kBlocks, MPI_INT);
const std::vector<MPI_Aint> offsets(kBlocks, 0);
int room[kBlocks], data[kBlocks];

// The three forms of a function, with the same arguments.
#define EXPECT_FORMS(error_class, argument, value, blocking, nonblocking, persistent, ...)        \
  do {                                                                                            \
    Untouched<MPI_Request> request;                                                               \
    EXPECT_ERROR(error_class, argument, value, blocking(__VA_ARGS__));                            \
    EXPECT_ERROR(error_class, argument, value, nonblocking(__VA_ARGS__, &request));               \
    EXPECT_ERROR(error_class, argument, value, persistent(__VA_ARGS__, MPI_INFO_NULL, &request)); \
  } while (false)

// And those with large counts.
#define EXPECT_ALLGATHER(error_class, argument, value, ...)                                     \
  do {                                                                                          \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, \
                 MPI_Neighbor_allgather_init, __VA_ARGS__);                                     \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_allgather_c,                        \
                 MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_init_c, __VA_ARGS__);        \
  } while (false)
#define EXPECT_ALLGATHERV(error_class, argument, value, ...)                                      \
  do {                                                                                            \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, \
                 MPI_Neighbor_allgatherv_init, __VA_ARGS__);                                      \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_allgatherv_c,                         \
                 MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_init_c, __VA_ARGS__);        \
  } while (false)
#define EXPECT_ALLTOALL(error_class, argument, value, ...)                                        \
  do {                                                                                            \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,     \
                 MPI_Neighbor_alltoall_init, __VA_ARGS__);                                        \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoall_c, MPI_Ineighbor_alltoall_c, \
                 MPI_Neighbor_alltoall_init_c, __VA_ARGS__);                                      \
  } while (false)
#define EXPECT_ALLTOALLV(error_class, argument, value, ...)                                     \
  do {                                                                                          \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, \
                 MPI_Neighbor_alltoallv_init, __VA_ARGS__);                                     \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoallv_c,                        \
                 MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_init_c, __VA_ARGS__);        \
  } while (false)
#define EXPECT_ALLTOALLW(error_class, argument, value, ...)                                     \
  do {                                                                                          \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, \
                 MPI_Neighbor_alltoallw_init, __VA_ARGS__);                                     \
    EXPECT_FORMS(error_class, argument, value, MPI_Neighbor_alltoallw_c,                        \
                 MPI_Ineighbor_alltoallw_c, MPI_Neighbor_alltoallw_init_c, __VA_ARGS__);        \
  } while (false)

// A call of each, with one thing that is wrong in all.
void each(int error_class, const char* argument, const void* out, void* in, MPI_Comm comm) {
  EXPECT_ALLGATHER(error_class, argument, "", out, 1, MPI_INT, in, 1, MPI_INT, comm);
  EXPECT_ALLGATHERV(error_class, argument, "", out, 1, MPI_INT, in, ones, zeros, MPI_INT, comm);
  EXPECT_ALLTOALL(error_class, argument, "", out, 1, MPI_INT, in, 1, MPI_INT, comm);
  EXPECT_ALLTOALLV(error_class, argument, "", out, ones, zeros, MPI_INT, in, ones, zeros, MPI_INT,
                   comm);
  EXPECT_ALLTOALLW(error_class, argument, "", out, ones, offsets.data(), ints.data(), in, ones,
                   offsets.data(), ints.data(), comm);
}

void communicators(MPI_Comm grid) {
  each(MPI_ERR_COMM, "comm", data, room, MPI_COMM_NULL);
  if (!check::on_atoll()) return;
  each(MPI_ERR_TOPOLOGY, "comm", data, room, MPI_COMM_WORLD);
  each(MPI_ERR_COMM, "comm", data, room, errors::garbage<MPI_Comm>());
  each(MPI_ERR_BUFFER, "sendbuf", nullptr, room, grid);
  each(MPI_ERR_BUFFER, "recvbuf", data, nullptr, grid);
  each(MPI_ERR_BUFFER, "sendbuf", MPI_IN_PLACE, room, grid);
  each(MPI_ERR_BUFFER, "recvbuf", data, MPI_IN_PLACE, grid);
}

void allgather(MPI_Comm grid) {
  EXPECT_ALLGATHER(MPI_ERR_COUNT, "sendcount", "-1", data, -1, MPI_INT, room, 1, MPI_INT, grid);
  EXPECT_ALLGATHER(MPI_ERR_COUNT, "recvcount", "-3", data, 1, MPI_INT, room, -3, MPI_INT, grid);
  EXPECT_ALLGATHER(MPI_ERR_TYPE, "sendtype", "", data, 1, MPI_DATATYPE_NULL, room, 1, MPI_INT,
                   grid);
  EXPECT_ALLGATHER(MPI_ERR_TYPE, "recvtype", "", data, 1, MPI_INT, room, 1, MPI_DATATYPE_NULL,
                   grid);
}

// Arguments that are arrays are only looked at by Atoll.
void allgatherv(MPI_Comm grid) {
  Array counts(1);
  counts.ints[2] = -5;
  counts.counts[2] = -5;
  const int* const no_ints = nullptr;
  const MPI_Count* const no_counts = nullptr;
  EXPECT_ALLGATHERV(MPI_ERR_COUNT, "recvcounts[2]", "-5", data, 1, MPI_INT, room, counts, zeros,
                    MPI_INT, grid);
  EXPECT_ALLGATHERV(MPI_ERR_TYPE, "recvtype", "", data, 1, MPI_INT, room, ones, zeros,
                    MPI_DATATYPE_NULL, grid);
  EXPECT_FORMS(MPI_ERR_ARG, "recvcounts", "", MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv,
               MPI_Neighbor_allgatherv_init, data, 1, MPI_INT, room, no_ints, zeros, MPI_INT, grid);
  EXPECT_FORMS(MPI_ERR_ARG, "recvcounts", "", MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c,
               MPI_Neighbor_allgatherv_init_c, data, 1, MPI_INT, room, no_counts, zeros, MPI_INT,
               grid);
}

void alltoall(MPI_Comm grid) {
  EXPECT_ALLTOALL(MPI_ERR_COUNT, "sendcount", "-1", data, -1, MPI_INT, room, 1, MPI_INT, grid);
  EXPECT_ALLTOALL(MPI_ERR_COUNT, "recvcount", "-3", data, 1, MPI_INT, room, -3, MPI_INT, grid);
  EXPECT_ALLTOALL(MPI_ERR_TYPE, "sendtype", "", data, 1, MPI_DATATYPE_NULL, room, 1, MPI_INT, grid);
  EXPECT_ALLTOALL(MPI_ERR_TYPE, "recvtype", "", data, 1, MPI_INT, room, 1, MPI_DATATYPE_NULL, grid);
}

void alltoallv(MPI_Comm grid) {
  Array counts(1);
  counts.ints[3] = -2;
  counts.counts[3] = -2;
  EXPECT_ALLTOALLV(MPI_ERR_COUNT, "sendcounts[3]", "-2", data, counts, zeros, MPI_INT, room, ones,
                   zeros, MPI_INT, grid);
  EXPECT_ALLTOALLV(MPI_ERR_COUNT, "recvcounts[3]", "-2", data, ones, zeros, MPI_INT, room, counts,
                   zeros, MPI_INT, grid);
  EXPECT_ALLTOALLV(MPI_ERR_TYPE, "sendtype", "", data, ones, zeros, MPI_DATATYPE_NULL, room, ones,
                   zeros, MPI_INT, grid);
}

void alltoallw(MPI_Comm grid) {
  std::vector<MPI_Datatype> types = ints;
  types[1] = MPI_DATATYPE_NULL;
  EXPECT_ALLTOALLW(MPI_ERR_TYPE, "sendtypes[1]", "", data, ones, offsets.data(), types.data(), room,
                   ones, offsets.data(), ints.data(), grid);
  EXPECT_ALLTOALLW(MPI_ERR_TYPE, "recvtypes[1]", "", data, ones, offsets.data(), ints.data(), room,
                   ones, offsets.data(), types.data(), grid);
  EXPECT_ALLTOALLW(MPI_ERR_ARG, "recvtypes", "", data, ones, offsets.data(), ints.data(), room,
                   ones, offsets.data(), nullptr, grid);
  EXPECT_ALLTOALLW(MPI_ERR_ARG, "", "", data, ones, nullptr, ints.data(), room, ones,
                   offsets.data(), ints.data(), grid);
}

// Without neighbours there is nothing that the other arguments could say.
void nobody() {
  MPI_Comm alone;
  const int none = 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, &none, MPI_UNWEIGHTED, 0, &none, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &alone);
  CHECK_EQ(MPI_Neighbor_alltoall(nullptr, 1, MPI_INT, nullptr, 1, MPI_INT, alone), MPI_SUCCESS);
  CHECK_EQ(MPI_Neighbor_alltoallw(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                  nullptr, alone),
           MPI_SUCCESS);
  MPI_Comm_free(&alone);
}

// An edge that leads only one way: what one sends, nobody awaits (8.6).
void one_way() {
  if (check::size < 2) return;
  const int index[] = {1, 1}, edges[] = {1};
  MPI_Comm graph;
  MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
  if (graph == MPI_COMM_NULL) return;
  MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
  each(MPI_ERR_TOPOLOGY, "comm", data, room, graph);
  MPI_Comm_free(&graph);
}

// A block that is longer than there is room for.
void too_long(MPI_Comm grid) {
  MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "", "",
               MPI_Neighbor_allgather(data, 2, MPI_INT, room, 1, MPI_INT, grid));
  CHECK_EQ(MPI_Neighbor_allgather(data, 1, MPI_INT, room, 1, MPI_INT, grid), MPI_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  const int dims[] = {check::size, 1}, periods[] = {1, 1};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
  communicators(grid);
  allgather(grid);
  alltoall(grid);
  if (check::on_atoll()) {
    allgatherv(grid);
    alltoallv(grid);
    alltoallw(grid);
    nobody();
    one_way();
    too_long(grid);
  }
  MPI_Comm_free(&grid);
  errors::check_all_is_well();
  return check::finish();
}
