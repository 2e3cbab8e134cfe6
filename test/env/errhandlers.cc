// Error handlers (9.3): which one is called, with what, when it is inherited,
// and how long it lives.
#include <vector>

#include "test/check.h"

namespace {

struct Call {
  MPI_Comm comm;
  int error_class;
};

std::vector<Call> first_calls, second_calls;

void first(MPI_Comm* comm, int* code, ...) {
  first_calls.push_back({*comm, check::error_class(*code)});
}
void second(MPI_Comm* comm, int* code, ...) {
  second_calls.push_back({*comm, check::error_class(*code)});
}

// A call that fails in `comm`: the destination is one too many.
int fail_in(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return MPI_Send(nullptr, 0, MPI_INT, size, 1, comm);
}

MPI_Errhandler handler_of(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  return handler;
}

// The names of MPI-1, which MPI 5.0 has no more.
void old_names() {
  check::set_case("MPI_Errhandler_create, _set and _get");
#if !defined(ATOLL_NO_LEGACY) && (defined(MPI_ABI_VERSION) || MPI_VERSION < 3)
  MPI_Handler_function* function = first;
  MPI_Errhandler handler, got;
  CHECK_EQ(MPI_Errhandler_create(function, &handler), MPI_SUCCESS);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_EQ(MPI_Errhandler_set(comm, handler), MPI_SUCCESS);
  CHECK_EQ(MPI_Errhandler_get(comm, &got), MPI_SUCCESS);
  CHECK(got == handler);
  first_calls.clear();
  fail_in(comm);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&got);
  MPI_Comm_free(&comm);
#endif
}

void free_handler(MPI_Errhandler handler) {
  MPI_Errhandler_free(&handler);
  CHECK(handler == MPI_ERRHANDLER_NULL);
}

void defaults() {
  check::set_case("defaults");
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    CHECK(handler_of(comm) == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(handler_of(comm) == MPI_ERRORS_RETURN);
  }
  CHECK_EQ(check::error_class(fail_in(MPI_COMM_WORLD)), MPI_ERR_RANK);
}

// The handler of the communicator is called, once, and the call returns the error.
void called(MPI_Errhandler one, MPI_Errhandler two) {
  check::set_case("the handler of the communicator");
  MPI_Comm a, b;
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(MPI_COMM_WORLD, &b);
  MPI_Comm_set_errhandler(a, one);
  MPI_Comm_set_errhandler(b, two);
  first_calls.clear();
  second_calls.clear();
  CHECK_EQ(check::error_class(fail_in(a)), MPI_ERR_RANK);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  CHECK(second_calls.empty());
  CHECK(first_calls[0].comm == a);
  CHECK_EQ(first_calls[0].error_class, MPI_ERR_RANK);
  fail_in(b);
  CHECK_EQ(second_calls.size(), std::size_t{1});
  CHECK(second_calls[0].comm == b);
  fail_in(MPI_COMM_WORLD);  // has its own, which returns
  CHECK_EQ(first_calls.size() + second_calls.size(), std::size_t{2});
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
}

void called_by_hand(MPI_Errhandler one) {
  check::set_case("MPI_Comm_call_errhandler");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, one);
  first_calls.clear();
  CHECK_EQ(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER), MPI_SUCCESS);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  CHECK(first_calls[0].comm == comm);
  CHECK_EQ(first_calls[0].error_class, MPI_ERR_OTHER);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  CHECK_EQ(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER), MPI_SUCCESS);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  MPI_Comm_free(&comm);
}

// A dup has the handler of its parent, and keeps it when the parent changes.
void inherited(MPI_Errhandler one) {
  check::set_case("inherited by MPI_Comm_dup");
  MPI_Comm parent, child;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_set_errhandler(parent, one);
  MPI_Comm_dup(parent, &child);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  first_calls.clear();
  fail_in(parent);
  CHECK(first_calls.empty());
  fail_in(child);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  CHECK(first_calls[0].comm == child);
  MPI_Comm_free(&parent);
  MPI_Comm_free(&child);
}

// A freed handler works on as long as a communicator has it.
void freed_in_use() {
  check::set_case("freed while in use");
  for (int i = 0; i < 100; ++i) {
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Comm_create_errhandler(first, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    free_handler(handler);
    first_calls.clear();
    fail_in(comm);
    CHECK_EQ(first_calls.size(), std::size_t{1});
    // Asking for it makes a reference of one's own.
    MPI_Errhandler again = handler_of(comm);
    CHECK(again != MPI_ERRHANDLER_NULL);
    MPI_Comm_free(&comm);
    free_handler(again);
  }
}

// What MPI_Comm_get_errhandler returns is to be freed, a predefined handler too
// (9.3.4); the usual way to change the handler for a while.
void predefined_returned_and_freed() {
  check::set_case("a predefined handler asked for, put back and freed");
  for (int i = 0; i < 3; ++i) {
    MPI_Errhandler before = handler_of(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    CHECK_EQ(MPI_Errhandler_free(&before), MPI_SUCCESS);
    CHECK(before == MPI_ERRHANDLER_NULL);
    CHECK(handler_of(MPI_COMM_WORLD) == MPI_ERRORS_RETURN);
  }
}

// An error found at completion belongs to the communicator of the request.
void at_completion(MPI_Errhandler one) {
  check::set_case("an error found by MPI_Wait");
  if (!check::on_atoll()) return;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, one);
  first_calls.clear();
  int in[2] = {-1, -1}, out[2] = {1, 2};
  MPI_Request request;
  MPI_Irecv(in, 1, MPI_INT, check::rank, 1, comm, &request);
  MPI_Send(out, 2, MPI_INT, check::rank, 1, comm);
  CHECK_EQ(check::error_class(MPI_Wait(&request, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  CHECK(first_calls[0].comm == comm);
  CHECK_EQ(first_calls[0].error_class, MPI_ERR_TRUNCATE);
  MPI_Comm_free(&comm);
}

// 9.3: an error that belongs to no communicator is raised on MPI_COMM_SELF.
void without_communicator(MPI_Errhandler one) {
  check::set_case("an error without a communicator");
  if (!check::on_atoll()) return;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, one);
  first_calls.clear();
  int size = 0;
  CHECK_EQ(check::error_class(MPI_Comm_size(MPI_COMM_NULL, &size)), MPI_ERR_COMM);
  CHECK_EQ(first_calls.size(), std::size_t{1});
  CHECK(first_calls[0].comm == MPI_COMM_SELF);
  CHECK_EQ(check::error_class(MPI_Type_size(MPI_DATATYPE_NULL, &size)), MPI_ERR_TYPE);
  CHECK_EQ(first_calls.size(), std::size_t{2});
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

std::vector<int> file_errors;

void of_files(MPI_File* file, int* code, ...) {
  CHECK(*file == MPI_FILE_NULL);
  file_errors.push_back(check::error_class(*code));
}

// 14.7: the error handler of MPI_FILE_NULL is the default one of files, and gets the
// errors of calls that have no file.
void default_of_files() {
  check::set_case("the default error handler of files");
  MPI_Errhandler handler, got;
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  CHECK(got == MPI_ERRORS_RETURN);
  CHECK_EQ(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
  MPI_File_create_errhandler(of_files, &handler);
  CHECK_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, handler), MPI_SUCCESS);
  free_handler(handler);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  CHECK(got == handler);
  CHECK_EQ(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
  CHECK(file_errors == std::vector<int>{MPI_ERR_IO});
  if (check::on_atoll()) {
    MPI_File none;
    std::memset(&none, 0x5a, sizeof none);
    CHECK_EQ(check::error_class(MPI_File_get_errhandler(none, &got)), MPI_ERR_FILE);
    CHECK((file_errors == std::vector<int>{MPI_ERR_IO, MPI_ERR_FILE}));
  }
  free_handler(got);
  CHECK_EQ(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), MPI_SUCCESS);
  MPI_File_get_errhandler(MPI_FILE_NULL, &got);
  CHECK(got == MPI_ERRORS_RETURN);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  defaults();
  MPI_Errhandler one, two;
  MPI_Comm_create_errhandler(first, &one);
  MPI_Comm_create_errhandler(second, &two);
  called(one, two);
  called_by_hand(one);
  inherited(one);
  at_completion(one);
  without_communicator(one);
  free_handler(one);
  free_handler(two);
  freed_in_use();
  predefined_returned_and_freed();
  default_of_files();
  old_names();
  return check::finish();
}
