// Bad arguments to keyvals and attributes.
#include <climits>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void creation() {
  EXPECT_ERROR(MPI_ERR_ARG, "comm_keyval", "",
               MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "type_keyval", "",
               MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "win_keyval", "",
               MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "keyval", "",
               MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "comm_keyval", "", MPI_Comm_free_keyval(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "type_keyval", "", MPI_Type_free_keyval(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "win_keyval", "", MPI_Win_free_keyval(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "keyval", "", MPI_Keyval_free(nullptr));
}

// No keyval of communicators; `text` is what the message calls it.
void bad_keyval(int bad, const std::string& text) {
  Untouched<void*> value;
  Untouched<int> flag;
  int keyval = bad;
  EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", text,
               MPI_Comm_set_attr(MPI_COMM_WORLD, bad, &keyval));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", text,
               MPI_Comm_get_attr(MPI_COMM_WORLD, bad, &value, &flag));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", text, MPI_Comm_delete_attr(MPI_COMM_WORLD, bad));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", text, MPI_Comm_free_keyval(&keyval));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "keyval", text, MPI_Attr_put(MPI_COMM_WORLD, bad, &keyval));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "keyval", text, MPI_Attr_get(MPI_COMM_WORLD, bad, &value, &flag));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "keyval", text, MPI_Attr_delete(MPI_COMM_WORLD, bad));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "keyval", text, MPI_Keyval_free(&keyval));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", text, MPI_Type_free_keyval(&keyval));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "win_keyval", text, MPI_Win_free_keyval(&keyval));
  CHECK_EQ(keyval, bad);
}

// Keyvals are of one kind of object.
void keyvals_of_others() {
  int comm, type, win;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type, nullptr);
  MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &win, nullptr);
  for (int other : {type, win}) {
    int keyval = other;
    EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", std::to_string(other),
                 MPI_Comm_set_attr(MPI_COMM_WORLD, other, &keyval));
    EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", std::to_string(other),
                 MPI_Comm_free_keyval(&keyval));
  }
  for (int other : {comm, win}) {
    int keyval = other;
    EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", "", MPI_Type_free_keyval(&keyval));
  }
  for (int other : {comm, type}) {
    int keyval = other;
    EXPECT_ERROR(MPI_ERR_KEYVAL, "win_keyval", "", MPI_Win_free_keyval(&keyval));
  }
  CHECK_EQ(MPI_Comm_free_keyval(&comm), MPI_SUCCESS);
  CHECK_EQ(MPI_Type_free_keyval(&type), MPI_SUCCESS);
  CHECK_EQ(MPI_Win_free_keyval(&win), MPI_SUCCESS);
  for (int keyval : {comm, type, win}) CHECK_EQ(keyval, MPI_KEYVAL_INVALID);
}

// What the standard defines can be read only.
void standard_keyvals() {
  for (int standard : {MPI_TAG_UB, MPI_IO, MPI_HOST, MPI_WTIME_IS_GLOBAL, MPI_APPNUM,
                       MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE}) {
    int keyval = standard;
    EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", "",
                 MPI_Comm_set_attr(MPI_COMM_WORLD, standard, &keyval));
    EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", "", MPI_Comm_delete_attr(MPI_COMM_WORLD, standard));
    EXPECT_ERROR(MPI_ERR_KEYVAL, "comm_keyval", "", MPI_Comm_free_keyval(&keyval));
    CHECK_EQ(keyval, standard);
  }
  EXPECT_ERROR(MPI_ERR_KEYVAL, "keyval", "MPI_TAG_UB",
               MPI_Attr_put(MPI_COMM_WORLD, MPI_TAG_UB, nullptr));
}

void missing_addresses() {
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  Untouched<void*> value;
  Untouched<int> flag;
  EXPECT_ERROR(MPI_ERR_ARG, "attribute_val", "",
               MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, nullptr, &flag));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, nullptr));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL",
               MPI_Comm_get_attr(MPI_COMM_NULL, keyval, &value, &flag));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL",
               MPI_Comm_set_attr(MPI_COMM_NULL, keyval, nullptr));
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL", MPI_Comm_delete_attr(MPI_COMM_NULL, keyval));
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  creation();
  bad_keyval(MPI_KEYVAL_INVALID, check::on_atoll() ? "MPI_KEYVAL_INVALID" : "");
  int freed;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &freed, nullptr);
  const int stale = freed;
  MPI_Comm_free_keyval(&freed);
  for (int bad : {stale, -1, 123456789, INT_MAX, INT_MIN}) bad_keyval(bad, std::to_string(bad));
  keyvals_of_others();
  standard_keyvals();
  missing_addresses();
  errors::check_all_is_well();
  return check::finish();
}
