// mpiexec -initial-errhandler mpi_errors_return (11.5), or ATOLL_ERRHANDLER: errors
// return, before MPI_Init, during and after.
#include "test/check.h"

namespace {

void expect_returned(int code, int error_class) { CHECK_EQ(check::error_class(code), error_class); }

}  // namespace

int main(int argc, char** argv) {
  int number = 0;
  check::set_case("before MPI_Init");
  expect_returned(MPI_Comm_size(MPI_COMM_WORLD, &number), MPI_ERR_OTHER);
  check::start(argc, argv);
  check::set_case("between MPI_Init and MPI_Finalize");
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    CHECK(handler == MPI_ERRORS_RETURN);
  }
  expect_returned(MPI_Send(nullptr, 0, MPI_INT, check::size, 1, MPI_COMM_WORLD), MPI_ERR_RANK);
  expect_returned(MPI_Comm_size(MPI_COMM_NULL, &number), MPI_ERR_COMM);
  const int status = check::finish();
  check::set_case("after MPI_Finalize");
  expect_returned(MPI_Comm_size(MPI_COMM_WORLD, &number), MPI_ERR_OTHER);
  return status;
}
