// Ranks that call collectives which do not match, where shared memory shows it:
// those who see it get an error that says who calls what, and nobody hangs.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "test/check.h"

namespace {

struct Case {
  const char* name;
  std::function<int(MPI_Comm)> first;   // what rank 0 calls
  std::function<int(MPI_Comm)> others;  // what the others call
  int error_class;                      // of all who see it
  const char* said;                     // in the text of all who see it
};

constexpr int kLong = 300000;  // of several steps
int ints[kLong];
int result[kLong];

int bcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return MPI_Bcast(ints, count, type, root, comm);
}
// Among few ranks what is longer goes by messages, in which a rank waits for ever.
int long_bcast() { return check::size > 4 ? kLong : 20000; }
int reduce(MPI_Op op, int root, MPI_Comm comm, int count = 2) {
  return MPI_Reduce(ints, result, count, MPI_INT, op, root, comm);
}
int allreduce(int count, MPI_Op op, MPI_Comm comm) {
  return MPI_Allreduce(ints, result, count, MPI_INT, op, comm);
}

int ibarrier(MPI_Comm comm) {
  MPI_Request request;
  const int code = MPI_Ibarrier(comm, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int gatherv(int root, MPI_Comm comm) {
  const std::vector<int> counts(check::size, 1), displs(check::size, 0);
  return MPI_Gatherv(ints, 1, MPI_INT, result, counts.data(), displs.data(), MPI_INT, root, comm);
}
int bcast_init(int root, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Bcast_init(ints, 1, MPI_INT, root, comm, MPI_INFO_NULL, &request);
  if (code == MPI_SUCCESS) MPI_Request_free(&request);
  return code;
}

const Case cases[] = {
    {"barrier and allreduce", [](MPI_Comm comm) { return MPI_Barrier(comm); },
     [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); }, MPI_ERR_OTHER, "MPI_Barrier"},
    {"bcast and barrier", [](MPI_Comm comm) { return bcast(1, MPI_INT, 0, comm); },
     [](MPI_Comm comm) { return MPI_Barrier(comm); }, MPI_ERR_OTHER, "MPI_Bcast with root 0"},
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
     [](MPI_Comm comm) { return MPI_Barrier(comm); }, MPI_ERR_OTHER, "MPI_Bcast with root 0"},
    {"long counts of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm, 30000); },
     [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm, kLong); }, MPI_ERR_COUNT, "120000 bytes"},
    {"non-blocking and blocking", [](MPI_Comm comm) { return ibarrier(comm); },
     [](MPI_Comm comm) { return allreduce(1, MPI_SUM, comm); }, MPI_ERR_OTHER, "MPI_Barrier"},
    {"gatherv and barrier", [](MPI_Comm comm) { return MPI_Barrier(comm); },
     [](MPI_Comm comm) { return gatherv(0, comm); }, MPI_ERR_OTHER, "MPI_Gatherv with root 0"},
    {"persistent and not", [](MPI_Comm comm) { return MPI_Barrier(comm); },
     [](MPI_Comm comm) { return bcast_init(1, comm); }, MPI_ERR_OTHER, "MPI_Bcast (persistent)"},
    {"roots of persistent bcast", [](MPI_Comm comm) { return bcast_init(0, comm); },
     [](MPI_Comm comm) { return bcast_init(1, comm); }, MPI_ERR_ROOT, "root 1"},
    {"operations of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); },
     [](MPI_Comm comm) { return reduce(MPI_PROD, 0, comm); }, MPI_ERR_OP, "MPI_PROD"},
};

// On a communicator of its own, which the others do not suffer from.
void run(const Case& one, int late) {
  check::set_case("%s, rank %d is late", one.name, late);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  // Also when those who wait have gone to sleep.
  if (check::rank == late) usleep(20000);
  const int code = (check::rank == 0 ? one.first : one.others)(comm);
  int saw = code != MPI_SUCCESS;
  if (saw != 0) {
    CHECK_EQ(check::error_class(code), one.error_class);
    const std::string text = check::error_text(code);
    if (text.find(one.said) == std::string::npos) CHECK_EQ(text, std::string(one.said));
  }
  int seen = 0;
  MPI_Allreduce(&saw, &seen, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(seen > 0);
  MPI_Comm_free(&comm);
  // The next communicator is not touched by what went wrong on this one.
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int sum = 0;
  MPI_Allreduce(&check::rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, check::size * (check::size - 1) / 2);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (const Case& one : cases) {
    for (int late = 0; check::size > 1 && late < std::min(check::size, 3); ++late) run(one, late);
  }
  CHECK(true);
  return check::finish();
}
