#include "runtime/fortran/arguments.h"

#include <algorithm>
#include <cstring>

namespace atl::fortran {

OutString::~OutString() {
  if (string_[0] == kUntouched) return;
  const std::size_t copied = std::min(std::strlen(string_.get()), length_);
  std::memcpy(text_, string_.get(), copied);
  std::memset(text_ + copied, ' ', length_ - copied);
}

int peers(const MPI_Fint* comm) {
  const auto communicator = handle<MPI_Comm>(comm);
  int inter = 0;
  int size = 0;
  if (PMPI_Comm_test_inter(communicator, &inter) != MPI_SUCCESS) return 0;
  if (inter) {
    PMPI_Comm_remote_size(communicator, &size);
  } else {
    PMPI_Comm_size(communicator, &size);
  }
  return size;
}

int peers(const MPI_Fint* comm, const void* buffer) {
  return buffer == MPI_IN_PLACE ? 0 : peers(comm);
}

int dimensions(const MPI_Fint* comm) {
  int count = 0;
  PMPI_Cartdim_get(handle<MPI_Comm>(comm), &count);
  return count;
}

namespace {

// The numbers of neighbours from which this rank receives and to which it sends, in any topology.
struct Degrees {
  int in = 0;
  int out = 0;
};

Degrees degrees(const MPI_Fint* comm) {
  const auto communicator = handle<MPI_Comm>(comm);
  int topology = MPI_UNDEFINED;
  Degrees result;
  PMPI_Topo_test(communicator, &topology);
  if (topology == MPI_CART) {
    result.in = result.out = 2 * dimensions(comm);
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Graph_neighbors_count(communicator, rank, &result.in);
    result.out = result.in;
  } else if (topology == MPI_DIST_GRAPH) {
    int weighted = 0;
    PMPI_Dist_graph_neighbors_count(communicator, &result.in, &result.out, &weighted);
  }
  return result;
}

}  // namespace

int destinations(const MPI_Fint* comm) { return degrees(comm).out; }
int sources(const MPI_Fint* comm) { return degrees(comm).in; }

}  // namespace atl::fortran
