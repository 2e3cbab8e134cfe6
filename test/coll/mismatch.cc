// Ranks that call collectives which do not match, where shared memory shows it:
// those who see it get an error that says who calls what, and nobody hangs.
#include <functional>
#include <string>

#include "test/check.h"

namespace {

struct Case {
  const char* name;
  std::function<int(MPI_Comm)> first;   // what rank 0 calls
  std::function<int(MPI_Comm)> others;  // what the others call
  int error_class;                      // of all who see it
  const char* said;                     // in the text of all who see it
};

int ints[64];
int result[64];

int bcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return MPI_Bcast(ints, count, type, root, comm);
}
int reduce(MPI_Op op, int root, MPI_Comm comm) {
  return MPI_Reduce(ints, result, 2, MPI_INT, op, root, comm);
}
int allreduce(int count, MPI_Op op, MPI_Comm comm) {
  return MPI_Allreduce(ints, result, count, MPI_INT, op, comm);
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
    {"operations of reduce", [](MPI_Comm comm) { return reduce(MPI_SUM, 0, comm); },
     [](MPI_Comm comm) { return reduce(MPI_PROD, 0, comm); }, MPI_ERR_OP, "MPI_PROD"},
};

// On a communicator of its own, which the others do not suffer from.
void run(const Case& one) {
  check::set_case("%s", one.name);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
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
    if (check::size > 1) run(one);
  }
  CHECK(true);
  return check::finish();
}
