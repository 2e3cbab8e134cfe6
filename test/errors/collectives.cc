// Bad arguments to the collectives, in all their forms. All ranks give the same,
// so that all find the error, and nobody waits.
#include <string>
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

// An array of one value, as the plain forms and the large ones want it.
struct Array {
  explicit Array(int value) : ints(check::size, value), counts(check::size, value) {}
  operator const int*() const { return ints.data(); }
  operator const MPI_Count*() const { return counts.data(); }

  std::vector<int> ints;
  std::vector<MPI_Count> counts;
};

// What is not wrong.
int in = 1;
std::vector<int> room;
int* out = nullptr;
const MPI_Comm comm = MPI_COMM_WORLD;

// The three forms of a collective, with the same arguments.
#define EXPECT_ALL(error_class, argument, value, blocking, nonblocking, persistent, ...)          \
  do {                                                                                            \
    Untouched<MPI_Request> request;                                                               \
    EXPECT_ERROR(error_class, argument, value, blocking(__VA_ARGS__));                            \
    EXPECT_ERROR(error_class, argument, value, nonblocking(__VA_ARGS__, &request));               \
    EXPECT_ERROR(error_class, argument, value, persistent(__VA_ARGS__, MPI_INFO_NULL, &request)); \
  } while (false)

void barrier() {
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, MPI_COMM_NULL);
}

void bcast() {
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "buffer", "", MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, nullptr, 1,
             MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "buffer", "", MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, nullptr, 1,
             MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, out, -1, MPI_INT,
             0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, out, -1,
             MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, out, 1,
             MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, out, 1,
             MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, out, 1, MPI_INT,
             check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, out, 1,
             MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Bcast, MPI_Ibcast, MPI_Bcast_init, out, 1, MPI_INT, 0,
             MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c, out, 1, MPI_INT,
             0, MPI_COMM_NULL);
}

void gather() {
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Gather, MPI_Igather, MPI_Gather_init, nullptr, 1,
             MPI_INT, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, nullptr,
             1, MPI_INT, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Gather, MPI_Igather, MPI_Gather_init, &in, -1,
             MPI_INT, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, &in,
             -1, MPI_INT, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Gather, MPI_Igather, MPI_Gather_init, &in, 1,
             MPI_DATATYPE_NULL, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, &in, 1,
             MPI_DATATYPE_NULL, out, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Gather, MPI_Igather, MPI_Gather_init, &in, 1, MPI_INT,
             out, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, &in, 1,
             MPI_INT, out, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Gather, MPI_Igather, MPI_Gather_init, &in, 1, MPI_INT,
             out, 1, MPI_INT, 0, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c, &in, 1,
             MPI_INT, out, 1, MPI_INT, 0, MPI_COMM_NULL);
}

void gatherv() {
  const Array ones(1);
  const Array places(0);
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, nullptr, 1,
             MPI_INT, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c,
             nullptr, 1, MPI_INT, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, &in, -1,
             MPI_INT, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c,
             &in, -1, MPI_INT, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, &in, 1,
             MPI_DATATYPE_NULL, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, &in,
             1, MPI_DATATYPE_NULL, out, ones, places, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, &in, 1,
             MPI_INT, out, ones, places, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, &in, 1,
             MPI_INT, out, ones, places, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init, &in, 1, MPI_INT,
             out, ones, places, MPI_INT, 0, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, &in, 1,
             MPI_INT, out, ones, places, MPI_INT, 0, MPI_COMM_NULL);
}

void scatter() {
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, 1,
             MPI_INT, nullptr, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, out,
             1, MPI_INT, nullptr, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, 1,
             MPI_INT, &in, -1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c,
             out, 1, MPI_INT, &in, -1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, 1,
             MPI_INT, &in, 1, MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, out,
             1, MPI_INT, &in, 1, MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, 1,
             MPI_INT, &in, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, out, 1,
             MPI_INT, &in, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scatter, MPI_Iscatter, MPI_Scatter_init, out, 1, MPI_INT,
             &in, 1, MPI_INT, 0, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c, out, 1,
             MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_NULL);
}

void scatterv() {
  const Array ones(1);
  const Array places(0);
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out,
             ones, places, MPI_INT, nullptr, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c,
             out, ones, places, MPI_INT, nullptr, 1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out,
             ones, places, MPI_INT, &in, -1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c,
             out, ones, places, MPI_INT, &in, -1, MPI_INT, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out,
             ones, places, MPI_INT, &in, 1, MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c,
             out, ones, places, MPI_INT, &in, 1, MPI_DATATYPE_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out, ones,
             places, MPI_INT, &in, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c, out,
             ones, places, MPI_INT, &in, 1, MPI_INT, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init, out, ones,
             places, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c, out,
             ones, places, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_NULL);
}

void allgather() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init,
             nullptr, 1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c,
             nullptr, 1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init,
             &in, -1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Allgather_c, MPI_Iallgather_c,
             MPI_Allgather_init_c, &in, -1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, &in,
             1, MPI_DATATYPE_NULL, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c,
             &in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, &in,
             1, MPI_INT, nullptr, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c,
             &in, 1, MPI_INT, nullptr, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init,
             &in, 1, MPI_INT, out, -1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Allgather_c, MPI_Iallgather_c,
             MPI_Allgather_init_c, &in, 1, MPI_INT, out, -1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, &in,
             1, MPI_INT, out, 1, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c,
             &in, 1, MPI_INT, out, 1, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allgather, MPI_Iallgather, MPI_Allgather_init, &in, 1,
             MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allgather_c, MPI_Iallgather_c, MPI_Allgather_init_c, &in,
             1, MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL);
}

void allgatherv() {
  const Array ones(1);
  const Array places(0);
  const Array negative(-1);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
             nullptr, 1, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, nullptr, 1, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
             &in, -1, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, &in, -1, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
             &in, 1, MPI_DATATYPE_NULL, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, &in, 1, MPI_DATATYPE_NULL, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
             &in, 1, MPI_INT, nullptr, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, &in, 1, MPI_INT, nullptr, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Allgatherv, MPI_Iallgatherv,
             MPI_Allgatherv_init, &in, 1, MPI_INT, out, negative, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, &in, 1, MPI_INT, out, negative, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
             &in, 1, MPI_INT, out, ones, places, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Allgatherv_c, MPI_Iallgatherv_c,
             MPI_Allgatherv_init_c, &in, 1, MPI_INT, out, ones, places, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init, &in, 1,
             MPI_INT, out, ones, places, MPI_INT, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c,
             &in, 1, MPI_INT, out, ones, places, MPI_INT, MPI_COMM_NULL);
}

void alltoall() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, nullptr,
             1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             nullptr, 1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out,
             -1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcount", "-1", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             out, -1, MPI_INT, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, 1,
             MPI_DATATYPE_NULL, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             out, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, 1,
             MPI_INT, nullptr, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             out, 1, MPI_INT, nullptr, 1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out,
             1, MPI_INT, out, -1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             out, 1, MPI_INT, out, -1, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, 1,
             MPI_INT, out, 1, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c,
             out, 1, MPI_INT, out, 1, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init, out, 1,
             MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c, out, 1,
             MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL);
}

void alltoallv() {
  const Array ones(1);
  const Array places(0);
  const Array negative(-1);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init,
             nullptr, ones, places, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c,
             nullptr, ones, places, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcounts", "-1", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init,
             out, negative, places, MPI_INT, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcounts", "-1", MPI_Alltoallv_c, MPI_Ialltoallv_c,
             MPI_Alltoallv_init_c, out, negative, places, MPI_INT, out, ones, places, MPI_INT,
             comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out,
             ones, places, MPI_DATATYPE_NULL, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtype", "", MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c,
             out, ones, places, MPI_DATATYPE_NULL, out, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out,
             ones, places, MPI_INT, nullptr, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c,
             out, ones, places, MPI_INT, nullptr, ones, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init,
             out, ones, places, MPI_INT, out, negative, places, MPI_INT, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Alltoallv_c, MPI_Ialltoallv_c,
             MPI_Alltoallv_init_c, out, ones, places, MPI_INT, out, negative, places, MPI_INT,
             comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out,
             ones, places, MPI_INT, out, ones, places, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtype", "", MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c,
             out, ones, places, MPI_INT, out, ones, places, MPI_DATATYPE_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init, out, ones,
             places, MPI_INT, out, ones, places, MPI_INT, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c, out,
             ones, places, MPI_INT, out, ones, places, MPI_INT, MPI_COMM_NULL);
}

void alltoallw() {
  const Array ones(1);
  const Array places(0);
  const Array negative(-1);
  const std::vector<MPI_Datatype> int_types(check::size, MPI_INT);
  const std::vector<MPI_Datatype> null_types(check::size, MPI_DATATYPE_NULL);
  const MPI_Datatype* ints = int_types.data();
  const MPI_Datatype* no_types = null_types.data();
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
             nullptr, ones, places, ints, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c,
             nullptr, ones, places, ints, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcounts", "-1", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
             out, negative, places, ints, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "sendcounts", "-1", MPI_Alltoallw_c, MPI_Ialltoallw_c,
             MPI_Alltoallw_init_c, out, negative, places, ints, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtypes", "", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out,
             ones, places, no_types, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "sendtypes", "", MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c,
             out, ones, places, no_types, out, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out,
             ones, places, ints, nullptr, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c,
             out, ones, places, ints, nullptr, ones, places, ints, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
             out, ones, places, ints, out, negative, places, ints, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Alltoallw_c, MPI_Ialltoallw_c,
             MPI_Alltoallw_init_c, out, ones, places, ints, out, negative, places, ints, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtypes", "", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out,
             ones, places, ints, out, ones, places, no_types, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "recvtypes", "", MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c,
             out, ones, places, ints, out, ones, places, no_types, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init, out, ones,
             places, ints, out, ones, places, ints, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c, out,
             ones, places, ints, out, ones, places, ints, MPI_COMM_NULL);
}

void reduce() {
  const std::string size = std::to_string(check::size);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, nullptr, out,
             1, MPI_INT, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, nullptr,
             out, 1, MPI_INT, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, &in, out, -1,
             MPI_INT, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, &in, out,
             -1, MPI_INT, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, &in, out, 1,
             MPI_DATATYPE_NULL, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, &in, out,
             1, MPI_DATATYPE_NULL, MPI_SUM, 0, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, &in, out, 1, MPI_INT,
             MPI_OP_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, &in, out, 1,
             MPI_INT, MPI_OP_NULL, 0, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, &in, out, 1,
             MPI_INT, MPI_SUM, check::size, comm);
  EXPECT_ALL(MPI_ERR_ROOT, "root", size, MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, &in, out,
             1, MPI_INT, MPI_SUM, check::size, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce, MPI_Ireduce, MPI_Reduce_init, &in, out, 1,
             MPI_INT, MPI_SUM, 0, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c, &in, out, 1,
             MPI_INT, MPI_SUM, 0, MPI_COMM_NULL);
}

void allreduce() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init,
             nullptr, out, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c,
             nullptr, out, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, &in,
             nullptr, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c,
             &in, nullptr, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, &in,
             out, -1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c,
             &in, out, -1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, &in,
             out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c,
             &in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, &in, out, 1,
             MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c, &in,
             out, 1, MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init, &in, out,
             1, MPI_INT, MPI_SUM, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c, &in,
             out, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL);
}

void reduce_scatter_block() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, nullptr, &in, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
             MPI_Reduce_scatter_block_init_c, nullptr, &in, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, out, nullptr, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
             MPI_Reduce_scatter_block_init_c, out, nullptr, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, out, &in, -1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcount", "-1", MPI_Reduce_scatter_block_c,
             MPI_Ireduce_scatter_block_c, MPI_Reduce_scatter_block_init_c, out, &in, -1, MPI_INT,
             MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, out, &in, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
             MPI_Reduce_scatter_block_init_c, out, &in, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, out, &in, 1, MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
             MPI_Reduce_scatter_block_init_c, out, &in, 1, MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
             MPI_Reduce_scatter_block_init, out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
             MPI_Reduce_scatter_block_init_c, out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL);
}

void reduce_scatter() {
  const Array ones(1);
  const Array places(0);
  const Array negative(-1);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce_scatter, MPI_Ireduce_scatter,
             MPI_Reduce_scatter_init, nullptr, &in, ones, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, nullptr, &in, ones, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Reduce_scatter, MPI_Ireduce_scatter,
             MPI_Reduce_scatter_init, out, nullptr, ones, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, out, nullptr, ones, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Reduce_scatter, MPI_Ireduce_scatter,
             MPI_Reduce_scatter_init, out, &in, negative, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "recvcounts", "-1", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, out, &in, negative, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce_scatter, MPI_Ireduce_scatter,
             MPI_Reduce_scatter_init, out, &in, ones, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, out, &in, ones, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init,
             out, &in, ones, MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, out, &in, ones, MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce_scatter, MPI_Ireduce_scatter,
             MPI_Reduce_scatter_init, out, &in, ones, MPI_INT, MPI_SUM, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c,
             MPI_Reduce_scatter_init_c, out, &in, ones, MPI_INT, MPI_SUM, MPI_COMM_NULL);
}

void scan() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Scan, MPI_Iscan, MPI_Scan_init, nullptr, out, 1,
             MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, nullptr, out,
             1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scan, MPI_Iscan, MPI_Scan_init, &in, nullptr, 1,
             MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "recvbuf", "", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, &in, nullptr,
             1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Scan, MPI_Iscan, MPI_Scan_init, &in, out, -1,
             MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, &in, out, -1,
             MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Scan, MPI_Iscan, MPI_Scan_init, &in, out, 1,
             MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, &in, out, 1,
             MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Scan, MPI_Iscan, MPI_Scan_init, &in, out, 1, MPI_INT,
             MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, &in, out, 1, MPI_INT,
             MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scan, MPI_Iscan, MPI_Scan_init, &in, out, 1, MPI_INT,
             MPI_SUM, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c, &in, out, 1,
             MPI_INT, MPI_SUM, MPI_COMM_NULL);
}

void exscan() {
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, nullptr, out,
             1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_BUFFER, "sendbuf", "", MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, nullptr,
             out, 1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, &in, out, -1,
             MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_COUNT, "count", "-1", MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, &in, out,
             -1, MPI_INT, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, &in, out, 1,
             MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_TYPE, "datatype", "", MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, &in, out,
             1, MPI_DATATYPE_NULL, MPI_SUM, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, &in, out, 1, MPI_INT,
             MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_OP, "op", "", MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, &in, out, 1,
             MPI_INT, MPI_OP_NULL, comm);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Exscan, MPI_Iexscan, MPI_Exscan_init, &in, out, 1,
             MPI_INT, MPI_SUM, MPI_COMM_NULL);
  EXPECT_ALL(MPI_ERR_COMM, "comm", "", MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c, &in, out, 1,
             MPI_INT, MPI_SUM, MPI_COMM_NULL);
}

// An operation that the standard does not define on the type.
void undefined_operations() {
  double values[2] = {};
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_BAND",
               MPI_Allreduce(values, values + 1, 1, MPI_DOUBLE, MPI_BAND, comm));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_LAND",
               MPI_Reduce_local(values, values + 1, 1, MPI_DOUBLE, MPI_LAND));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_MAX",
               MPI_Reduce_local_c(values, values + 1, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_SUM",
               MPI_Reduce_local(values, values + 1, 1, MPI_CHAR, MPI_SUM));
}

void operations() {
  Untouched<MPI_Op> made;
  EXPECT_ERROR(MPI_ERR_ARG, "user_fn", "", MPI_Op_create(nullptr, 1, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "user_fn", "", MPI_Op_create_c(nullptr, 1, &made));
  MPI_Op predefined = MPI_SUM;
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_SUM", MPI_Op_free(&predefined));
  CHECK(predefined == MPI_SUM);
  MPI_Op null = MPI_OP_NULL;
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_OP_NULL", MPI_Op_free(&null));
  Untouched<int> commute;
  EXPECT_ERROR(MPI_ERR_OP, "op", "", MPI_Op_commutative(MPI_OP_NULL, &commute));
  const auto function = [](void*, void*, int*, MPI_Datatype*) {};
  MPI_Op op;
  MPI_Op_create(function, 0, &op);
  const MPI_Op stale = op;
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  EXPECT_ERROR(MPI_ERR_OP, "op", "", MPI_Op_commutative(stale, &commute));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  room.resize(check::size);
  out = room.data();
  barrier();
  bcast();
  gather();
  gatherv();
  scatter();
  scatterv();
  allgather();
  allgatherv();
  alltoall();
  alltoallv();
  alltoallw();
  reduce();
  allreduce();
  reduce_scatter_block();
  reduce_scatter();
  scan();
  exscan();
  undefined_operations();
  operations();
  errors::check_all_is_well();
  return check::finish();
}
