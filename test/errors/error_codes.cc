// Bad arguments to error classes, codes and strings, and to error handlers of
// other objects.
#include <climits>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void unknown(int code) {
  Untouched<int> number;
  const std::string value = std::to_string(code);
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", value, MPI_Add_error_code(code, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Add_error_string(code, "text"));
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", value, MPI_Remove_error_class(code));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_code(code));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_string(code));
}

void of_the_standard(int code) {
  const std::string value = std::to_string(code);
  const std::string text = check::error_text(code);
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Add_error_string(code, "mine"));
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", value, MPI_Remove_error_class(code));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_code(code));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_string(code));
  CHECK(check::error_text(code).find("mine") == std::string::npos);
}

void wrong_order() {
  int error_class, code;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  Untouched<int> number;
  const std::string class_value = std::to_string(error_class), value = std::to_string(code);
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", value, MPI_Add_error_code(code, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", class_value, MPI_Remove_error_class(error_class));
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", value, MPI_Remove_error_class(code));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", class_value, MPI_Remove_error_code(error_class));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_string(code));
  CHECK_EQ(MPI_Add_error_string(code, "text"), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", value, MPI_Remove_error_code(code));
  CHECK_EQ(check::error_text(code), "text");
  CHECK_EQ(MPI_Remove_error_string(code), MPI_SUCCESS);
  CHECK_EQ(MPI_Remove_error_code(code), MPI_SUCCESS);
  unknown(code);
  CHECK_EQ(MPI_Remove_error_class(error_class), MPI_SUCCESS);
  unknown(error_class);
}

void strings() {
  int code;
  MPI_Add_error_class(&code);
  const std::string too_long(MPI_MAX_ERROR_STRING, 's');
  EXPECT_ERROR(MPI_ERR_ARG, "string", std::to_string(MPI_MAX_ERROR_STRING),
               MPI_Add_error_string(code, too_long.c_str()));
  EXPECT_ERROR(MPI_ERR_ARG, "string", "", MPI_Add_error_string(code, nullptr));
  CHECK_EQ(check::error_text(code), "");
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", "", MPI_Add_error_class(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "errorcode", "", MPI_Add_error_code(code, nullptr));
  MPI_Remove_error_class(code);
}

void for_windows(MPI_Win*, int*, ...) {}
void for_files(MPI_File*, int*, ...) {}
void for_sessions(MPI_Session*, int*, ...) {}

// Error handlers are of one kind of object.
void handlers_of_others() {
  MPI_Errhandler win, file, session;
  MPI_Win_create_errhandler(for_windows, &win);
  MPI_File_create_errhandler(for_files, &file);
  MPI_Session_create_errhandler(for_sessions, &session);
  for (MPI_Errhandler handler : {win, file, session}) {
    EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "",
                 MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "", MPI_Errhandler_set(MPI_COMM_WORLD, handler));
  }
  for (MPI_Errhandler* handler : {&win, &file, &session}) {
    CHECK_EQ(MPI_Errhandler_free(handler), MPI_SUCCESS);
    CHECK(*handler == MPI_ERRHANDLER_NULL);
  }
  Untouched<MPI_Errhandler> made;
  EXPECT_ERROR(MPI_ERR_ARG, "win_errhandler_fn", "", MPI_Win_create_errhandler(nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "file_errhandler_fn", "", MPI_File_create_errhandler(nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "session_errhandler_fn", "",
               MPI_Session_create_errhandler(nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_Win_create_errhandler(for_windows, nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  for (int code : {-1, MPI_ERR_LASTCODE, INT_MAX, INT_MIN}) unknown(code);
  for (int code : {int(MPI_SUCCESS), int(MPI_ERR_RANK), int(MPI_ERR_OTHER)}) of_the_standard(code);
  wrong_order();
  strings();
  handlers_of_others();
  errors::check_all_is_well();
  return check::finish();
}
