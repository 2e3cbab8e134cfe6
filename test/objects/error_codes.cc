// Error classes, codes and strings, the standard's and those that a program adds
// (9.4, 9.5), also before MPI_Init and after MPI_Finalize.
#include <set>
#include <string>
#include <vector>

#include "test/check.h"

namespace {

int last_used_code() {
  int* value = nullptr;
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK_EQ(flag, 1);
  return *value;
}

void standard_classes() {
  std::set<std::string> texts;
  for (int code :
       {MPI_SUCCESS,      MPI_ERR_BUFFER,   MPI_ERR_COUNT,    MPI_ERR_TYPE,    MPI_ERR_TAG,
        MPI_ERR_COMM,     MPI_ERR_RANK,     MPI_ERR_REQUEST,  MPI_ERR_ROOT,    MPI_ERR_GROUP,
        MPI_ERR_OP,       MPI_ERR_TOPOLOGY, MPI_ERR_DIMS,     MPI_ERR_ARG,     MPI_ERR_UNKNOWN,
        MPI_ERR_TRUNCATE, MPI_ERR_OTHER,    MPI_ERR_INTERN,   MPI_ERR_PENDING, MPI_ERR_IN_STATUS,
        MPI_ERR_KEYVAL,   MPI_ERR_INFO,     MPI_ERR_INFO_KEY, MPI_ERR_NO_MEM,  MPI_ERR_WIN,
        MPI_ERR_FILE,     MPI_ERR_SPAWN}) {
    check::set_case("class %d", code);
    CHECK_EQ(check::error_class(code), code);
    const std::string text = check::error_text(code);
    CHECK(!text.empty());
    CHECK(texts.insert(text).second);  // each has its own
  }
  if (!check::on_atoll()) return;
  CHECK_EQ(check::error_text(MPI_ERR_DIMS), "MPI_ERR_DIMS: invalid dimensions");
  constexpr int kLast = 62;  // MPI_ERR_ABI of MPI 5.0
  for (int code = MPI_SUCCESS; code <= kLast; ++code) {
    CHECK_EQ(check::error_class(code), code);
    CHECK(check::error_text(code).starts_with("MPI_"));
  }
}

void added() {
  check::set_case("an added class with codes and strings");
  int error_class = -1, first = -1, second = -1, special = -1;
  CHECK_EQ(MPI_Add_error_class(&error_class), MPI_SUCCESS);
  CHECK(error_class > MPI_ERR_LASTCODE);
  CHECK_EQ(MPI_Add_error_code(error_class, &first), MPI_SUCCESS);
  CHECK_EQ(MPI_Add_error_code(error_class, &second), MPI_SUCCESS);
  CHECK_EQ(MPI_Add_error_code(MPI_ERR_RANK, &special), MPI_SUCCESS);  // of a standard class
  const std::set<int> all = {error_class, first, second, special};
  CHECK_EQ(all.size(), std::size_t{4});
  CHECK_EQ(check::error_class(error_class), error_class);
  CHECK_EQ(check::error_class(first), error_class);
  CHECK_EQ(check::error_class(second), error_class);
  CHECK_EQ(check::error_class(special), int(MPI_ERR_RANK));
  CHECK_EQ(check::error_text(first), "");  // until there is one
  CHECK_EQ(MPI_Add_error_string(error_class, "the class"), MPI_SUCCESS);
  CHECK_EQ(MPI_Add_error_string(first, "the first code"), MPI_SUCCESS);
  CHECK_EQ(check::error_text(error_class), "the class");
  CHECK_EQ(check::error_text(first), "the first code");
  CHECK_EQ(check::error_text(second), "");
  CHECK_EQ(MPI_Add_error_string(first, "another text"), MPI_SUCCESS);
  CHECK_EQ(check::error_text(first), "another text");
  const std::string longest(MPI_MAX_ERROR_STRING - 1, 't');
  CHECK_EQ(MPI_Add_error_string(second, longest.c_str()), MPI_SUCCESS);
  CHECK_EQ(check::error_text(second), longest);
}

#if MPI_LEVEL >= 41
// 9.5: everything that was added can be removed, strings before their codes, codes before their
// class.
void removed() {
  check::set_case("removed");
  int error_class = -1, code = -1;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  MPI_Add_error_string(code, "text");
  CHECK_EQ(MPI_Remove_error_string(code), MPI_SUCCESS);
  CHECK_EQ(check::error_text(code), "");
  CHECK_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  CHECK_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
  int next = -1;
  MPI_Add_error_class(&next);
  if (check::on_atoll()) CHECK(next > code);  // numbers are not used again
  CHECK_EQ(MPI_Remove_error_class(next), MPI_SUCCESS);
}
#else
void removed() {}
#endif

void last_used() {
  check::set_case("MPI_LASTUSEDCODE");
  const int before = last_used_code();
  CHECK(before >= MPI_ERR_LASTCODE);
  int error_class = -1, code = -1;
  MPI_Add_error_class(&error_class);
  CHECK(last_used_code() >= error_class);
  MPI_Add_error_code(error_class, &code);
  if (check::on_atoll()) CHECK_EQ(last_used_code(), before + 2);
}

// A code of its own travels through error handlers and MPI_Comm_call_errhandler.
int seen = MPI_SUCCESS;
void see(MPI_Comm*, int* code, ...) { seen = *code; }

void through_handlers() {
  check::set_case("an added code in an error handler");
  int error_class = -1, code = -1;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(see, &handler);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  CHECK_EQ(MPI_Comm_call_errhandler(comm, code), MPI_SUCCESS);
  CHECK_EQ(seen, code);
  MPI_Comm_free(&comm);
}

// A callback's code is what the call returns that ran it.
int failing_code = MPI_SUCCESS;
int fail(MPI_Comm, int, void*, void*) { return failing_code; }

void out_of_callbacks() {
  check::set_case("an added code out of a callback");
  int error_class = -1, keyval = MPI_KEYVAL_INVALID;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &failing_code);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, fail, &keyval, nullptr);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(comm, keyval, nullptr);
  const int returned = MPI_Comm_delete_attr(comm, keyval);
  CHECK(returned != MPI_SUCCESS);
  if (check::on_atoll()) {
    CHECK_EQ(returned, failing_code);
    CHECK_EQ(check::error_class(returned), error_class);
  }
  failing_code = MPI_SUCCESS;
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace

int main(int argc, char** argv) {
  if (check::on_atoll()) {  // anytime since 4.1
    standard_classes();
    added();
  }
  check::start(argc, argv);
  standard_classes();
  added();
  removed();
  last_used();
  through_handlers();
  out_of_callbacks();
  const int status = check::finish();
  if (check::on_atoll()) {
    added();
    removed();
  }
  return status;
}
