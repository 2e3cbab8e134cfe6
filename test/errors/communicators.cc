// Bad arguments to the calls on communicators, error handlers and collectives.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void ignore(MPI_Comm*, int*, ...) {}

void bad_communicator(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int data = 1;
  Untouched<int> number;
  Untouched<MPI_Comm> made;
  Untouched<MPI_Errhandler> handler;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_size(comm, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_rank(comm, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_dup(comm, &made));
  EXPECT_ERROR(MPI_ERR_COMM, "comm1", "", MPI_Comm_compare(comm, MPI_COMM_WORLD, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm2", "", MPI_Comm_compare(MPI_COMM_WORLD, comm, &number));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_set_name(comm, "name"));
  if (comm != MPI_COMM_NULL) {  // that has a name
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_get_name(comm, name, &number));
  }
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_get_errhandler(comm, &handler));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Barrier(comm));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Bcast(&data, 1, MPI_INT, 0, comm));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Bcast_c(&data, 1, MPI_INT, 0, comm));
  const MPI_Comm before = comm;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_free(&comm));
  CHECK(comm == before);
}

// The predefined ones stay, whoever asks for their end.
void predefined() {
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    const MPI_Comm before = comm;
    EXPECT_ERROR(MPI_ERR_COMM, "comm", comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF",
                 MPI_Comm_free(&comm));
    CHECK(comm == before);
  }
}

void missing_addresses() {
  char name[MPI_MAX_OBJECT_NAME];
  Untouched<int> number;
  EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Comm_size(MPI_COMM_WORLD, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "rank", "", MPI_Comm_rank(MPI_COMM_WORLD, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newcomm", "", MPI_Comm_dup(MPI_COMM_WORLD, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "comm", "", MPI_Comm_free(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "result", "", MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "comm_name", "", MPI_Comm_set_name(MPI_COMM_WORLD, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "comm_name", "", MPI_Comm_get_name(MPI_COMM_WORLD, nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "resultlen", "", MPI_Comm_get_name(MPI_COMM_WORLD, name, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_Comm_get_errhandler(MPI_COMM_WORLD, nullptr));
}

void error_handlers() {
  {
    Untouched<MPI_Errhandler> made;
    EXPECT_ERROR(MPI_ERR_ARG, "comm_errhandler_fn", "", MPI_Comm_create_errhandler(nullptr, &made));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_Comm_create_errhandler(ignore, nullptr));
  {
    Untouched<MPI_Errhandler> made;
    EXPECT_ERROR(MPI_ERR_ARG, "handler_fn", "", MPI_Errhandler_create(nullptr, &made));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Errhandler_get(MPI_COMM_NULL, &made));
  }
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Errhandler_set(MPI_COMM_NULL, MPI_ERRORS_RETURN));
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_Errhandler_free(nullptr));
  MPI_Errhandler handler, freed;
  MPI_Comm_create_errhandler(ignore, &handler);
  freed = handler;
  MPI_Errhandler_free(&handler);
  for (MPI_Errhandler bad : {MPI_ERRHANDLER_NULL, freed, errors::garbage<MPI_Errhandler>()}) {
    const MPI_Errhandler before = bad;
    EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "",
                 MPI_Comm_set_errhandler(MPI_COMM_WORLD, bad));
    EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "", MPI_Errhandler_free(&bad));
    CHECK(bad == before);
  }
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
}

// Every rank makes the same mistake, and none waits for the others.
void broadcasts() {
  Untouched<int> data;
  for (int root : {-1, check::size, check::size + 1, MPI_ANY_SOURCE, MPI_PROC_NULL}) {
    EXPECT_ERROR(MPI_ERR_ROOT, "root", std::to_string(root),
                 MPI_Bcast(&data, 1, MPI_INT, root, MPI_COMM_WORLD));
    EXPECT_ERROR(MPI_ERR_ROOT, "root", std::to_string(root),
                 MPI_Bcast_c(&data, 1, MPI_INT, root, MPI_COMM_WORLD));
  }
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Bcast(&data, -1, MPI_INT, 0, MPI_COMM_WORLD));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Bcast_c(&data, -1, MPI_INT, 0, MPI_COMM_WORLD));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Bcast(&data, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Bcast_c(&data, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "", MPI_Bcast(nullptr, 1, MPI_INT, 0, MPI_COMM_WORLD));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  bad_communicator(MPI_COMM_NULL);
  bad_communicator(errors::freed_communicator());
  bad_communicator(errors::garbage<MPI_Comm>());
  predefined();
  missing_addresses();
  error_handlers();
  broadcasts();
  errors::check_all_is_well();
  return check::finish();
}
