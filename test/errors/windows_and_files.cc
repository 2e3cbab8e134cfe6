// Bad arguments to what windows and files have like other objects: names,
// attributes and error handlers.
#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void ignore_window(MPI_Win*, int*, ...) {}
void ignore_file(MPI_File*, int*, ...) {}

void bad_window(MPI_Win win, const char* value) {
  int key, data = 0;
  char name[MPI_MAX_OBJECT_NAME];
  Untouched<int> number;
  Untouched<void*> got;
  Untouched<MPI_Errhandler> handler;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, nullptr);
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_set_attr(win, key, &data));
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_get_attr(win, key, &got, &number));
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_delete_attr(win, key));
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_set_name(win, "name"));
  if (win == MPI_WIN_NULL) {
    int length = 0;
    CHECK_EQ(MPI_Win_get_name(win, name, &length), MPI_SUCCESS);
    CHECK_EQ(std::string(name), "MPI_WIN_NULL");
  } else {
    EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_get_name(win, name, &number));
  }
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_get_errhandler(win, &handler));
  EXPECT_ERROR(MPI_ERR_WIN, "win", value, MPI_Win_call_errhandler(win, MPI_ERR_OTHER));
  MPI_Win_free_keyval(&key);
}

// MPI_FILE_NULL is none: its error handler is the default one.
void bad_file(MPI_File file) {
  Untouched<MPI_Errhandler> handler;
  EXPECT_ERROR(MPI_ERR_FILE, "file", "", MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
  EXPECT_ERROR(MPI_ERR_FILE, "file", "", MPI_File_get_errhandler(file, &handler));
  EXPECT_ERROR(MPI_ERR_FILE, "fh", "", MPI_File_call_errhandler(file, MPI_ERR_OTHER));
}

void error_handlers() {
  {
    Untouched<MPI_Errhandler> made;
    EXPECT_ERROR(MPI_ERR_ARG, "win_errhandler_fn", "", MPI_Win_create_errhandler(nullptr, &made));
    EXPECT_ERROR(MPI_ERR_ARG, "file_errhandler_fn", "", MPI_File_create_errhandler(nullptr, &made));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_Win_create_errhandler(ignore_window, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_File_create_errhandler(ignore_file, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "errhandler", "", MPI_File_get_errhandler(MPI_FILE_NULL, nullptr));
  MPI_Errhandler of_windows;
  MPI_Win_create_errhandler(ignore_window, &of_windows);
  for (MPI_Errhandler bad : {MPI_ERRHANDLER_NULL, of_windows, errors::garbage<MPI_Errhandler>()}) {
    EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler",
                 bad == MPI_ERRHANDLER_NULL ? "MPI_ERRHANDLER_NULL" : "",
                 MPI_File_set_errhandler(MPI_FILE_NULL, bad));
  }
  MPI_Errhandler_free(&of_windows);
  MPI_Errhandler kept;
  MPI_File_get_errhandler(MPI_FILE_NULL, &kept);
  CHECK(kept == MPI_ERRORS_RETURN);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  bad_window(MPI_WIN_NULL, "MPI_WIN_NULL");
  bad_window(errors::garbage<MPI_Win>(), "");
  bad_file(errors::garbage<MPI_File>());
  error_handlers();
  errors::check_all_is_well();
  return check::finish();
}
