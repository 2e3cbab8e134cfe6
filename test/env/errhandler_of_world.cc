// Errors that belong to no object (9.3): MPI_COMM_SELF's error handler gets them. As long as the
// program has not set that, the one that it has set on MPI_COMM_WORLD does, as it did before
// MPI 4.0.
#include <vector>

#include "test/check.h"

namespace {

std::vector<MPI_Comm> calls;  // what the handler was called for

void note(MPI_Comm* comm, int*, ...) { calls.push_back(*comm); }

// Each without an object that lives: by a null handle, or without any argument that is one.
void fail_without_object() {
  int number = 0;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  CHECK_EQ(check::error_class(MPI_Comm_size(MPI_COMM_NULL, &number)), MPI_ERR_COMM);
  CHECK_EQ(check::error_class(MPI_Group_size(group, &number)), MPI_ERR_GROUP);
  CHECK_EQ(check::error_class(MPI_Type_contiguous(-1, MPI_INT, &type)), MPI_ERR_COUNT);
  CHECK_EQ(check::error_class(MPI_Type_free(&type)), MPI_ERR_TYPE);
  CHECK_EQ(check::error_class(MPI_Request_free(&request)), MPI_ERR_REQUEST);
  CHECK_EQ(check::error_class(MPI_Wait(nullptr, MPI_STATUS_IGNORE)), MPI_ERR_ARG);
  CHECK_EQ(check::error_class(MPI_Error_class(-12345, &number)), MPI_ERR_ARG);
  CHECK_EQ(check::error_class(MPI_Info_free(nullptr)), MPI_ERR_ARG);
}
constexpr std::size_t kErrors = 8;

// A null output argument is an error of the communicator of the call.
void null_outputs(MPI_Comm comm) {
  CHECK_EQ(check::error_class(MPI_Comm_rank(comm, nullptr)), MPI_ERR_ARG);
  CHECK_EQ(check::error_class(MPI_Comm_dup(comm, nullptr)), MPI_ERR_ARG);
  CHECK_EQ(check::error_class(MPI_Isend(nullptr, 0, MPI_INT, 0, 0, comm, nullptr)), MPI_ERR_ARG);
  CHECK_EQ(check::error_class(MPI_Ibarrier(comm, nullptr)), MPI_ERR_ARG);
}
constexpr std::size_t kNullOutputs = 4;

void expect_calls(std::size_t count, MPI_Comm comm) {
  CHECK_EQ(calls.size(), count);
  for (const MPI_Comm one : calls) CHECK(one == comm);
  calls.clear();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  if (!check::on_atoll()) {
    check::passed();
    return check::finish();
  }
  MPI_Comm before, after;
  MPI_Errhandler noting;
  MPI_Comm_create_errhandler(note, &noting);
  MPI_Comm_dup(MPI_COMM_WORLD, &before);

  check::set_case("MPI_ERRORS_RETURN on MPI_COMM_WORLD alone");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  fail_without_object();
  null_outputs(MPI_COMM_WORLD);

  check::set_case("a function on MPI_COMM_WORLD alone");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, noting);
  fail_without_object();
  expect_calls(kErrors, MPI_COMM_WORLD);
  MPI_Comm_dup(MPI_COMM_WORLD, &after);
  null_outputs(after);
  expect_calls(kNullOutputs, after);

  // A duplicate has the error handler of the moment: this one is older.
  check::set_case("a duplicate made earlier");
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(before, &handler);
  CHECK(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(before, MPI_ERRORS_RETURN);
  null_outputs(before);
  expect_calls(0, before);

  check::set_case("MPI_COMM_SELF has its own");
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  fail_without_object();
  expect_calls(0, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, noting);
  fail_without_object();
  expect_calls(kErrors, MPI_COMM_SELF);

  MPI_Errhandler_free(&noting);
  MPI_Comm_free(&before);
  MPI_Comm_free(&after);
  return check::finish();
}
