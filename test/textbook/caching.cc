// "Attributes Example": an operation caches what it found out about a
// communicator, copies share it, the last one that is freed ends it. And the
// functions that caching has for datatypes and windows.
// Corrected: MPI_Keyval_create succeeds with 0, and only a failure aborts, with a
// communicator; the copy callback has its extra state, hands out the value and sets
// the flag; both callbacks return an error code; the group is freed.
#include <cstdlib>

#include "test/check.h"

namespace {

// key for this module's stuff
int gop_key = MPI_KEYVAL_INVALID;

struct gop_stuff_type {
  int ref_count;
  int size;  // what the operation has found out
};

int living = 0, found_in_cache = 0;

int gop_stuff_copier(MPI_Comm, int keyval, void*, void* gop_stuff_in, void* gop_stuff_out,
                     int* flag) {
  CHECK_EQ(keyval, gop_key);
  // The new communicator adds one to the reference count.
  static_cast<gop_stuff_type*>(gop_stuff_in)->ref_count += 1;
  *static_cast<void**>(gop_stuff_out) = gop_stuff_in;
  *flag = 1;
  return MPI_SUCCESS;
}

int gop_stuff_destructor(MPI_Comm, int keyval, void* value, void*) {
  CHECK_EQ(keyval, gop_key);
  auto* gop_stuff = static_cast<gop_stuff_type*>(value);
  // The communicator's being freed removes one reference.
  gop_stuff->ref_count -= 1;
  if (gop_stuff->ref_count == 0) {
    std::free(gop_stuff);
    --living;
  }
  return MPI_SUCCESS;
}

int Efficient_Collective_Op(MPI_Comm comm) {
  gop_stuff_type* gop_stuff = nullptr;
  int foundflag = 0;
  if (gop_key == MPI_KEYVAL_INVALID) {  // get a key on first call ever
    if (MPI_Keyval_create(gop_stuff_copier, gop_stuff_destructor, &gop_key, nullptr) !=
        MPI_SUCCESS) {
      MPI_Abort(comm, 99);
    }
  }
  MPI_Attr_get(comm, gop_key, &gop_stuff, &foundflag);
  if (foundflag) {
    ++found_in_cache;
  } else {
    MPI_Group group;
    gop_stuff = static_cast<gop_stuff_type*>(std::malloc(sizeof(gop_stuff_type)));
    CHECK(gop_stuff != nullptr);
    ++living;
    gop_stuff->ref_count = 1;
    MPI_Comm_group(comm, &group);
    MPI_Group_size(group, &gop_stuff->size);
    MPI_Group_free(&group);
    MPI_Attr_put(comm, gop_key, gop_stuff);
  }
  MPI_Barrier(comm);  // the operation
  return gop_stuff->size;
}

void cached_operation() {
  MPI_Comm comm, copy, part;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_EQ(Efficient_Collective_Op(comm), check::size);
  CHECK_EQ(found_in_cache, 0);
  CHECK_EQ(Efficient_Collective_Op(comm), check::size);
  CHECK_EQ(found_in_cache, 1);
  MPI_Comm_dup(comm, &copy);  // shares it
  CHECK_EQ(Efficient_Collective_Op(copy), check::size);
  CHECK_EQ(found_in_cache, 2);
  CHECK_EQ(living, 1);
  MPI_Comm_split(comm, check::rank % 2, 0, &part);  // does not
  CHECK_EQ(Efficient_Collective_Op(part), (check::size + 1 - check::rank % 2) / 2);
  CHECK_EQ(found_in_cache, 2);
  CHECK_EQ(living, 2);
  MPI_Comm_free(&comm);
  CHECK_EQ(living, 2);
  CHECK_EQ(Efficient_Collective_Op(copy), check::size);
  CHECK_EQ(found_in_cache, 3);
  MPI_Comm_free(&copy);
  CHECK_EQ(living, 1);
  MPI_Attr_delete(part, gop_key);
  CHECK_EQ(living, 0);
  MPI_Comm_free(&part);
  MPI_Keyval_free(&gop_key);
  CHECK_EQ(gop_key, MPI_KEYVAL_INVALID);
}

// What is copied is decided by the key: never, or always as it is.
void simple_functions() {
  int never, always, flag = -1, data = 0;
  void* value = nullptr;
  MPI_Comm comm, copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &never, nullptr);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &always, nullptr);
  MPI_Attr_put(comm, never, &data);
  MPI_Attr_put(comm, always, &data);
  MPI_Comm_dup(comm, &copy);
  MPI_Attr_get(copy, never, &value, &flag);
  CHECK_EQ(flag, 0);
  MPI_Attr_get(copy, always, &value, &flag);
  CHECK_EQ(flag, 1);
  CHECK(value == &data);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&copy);
  MPI_Keyval_free(&never);
  MPI_Keyval_free(&always);
}

int types_deleted = 0;

int count_deletion(MPI_Datatype, int, void*, void* extra_state) {
  CHECK(extra_state == &types_deleted);
  ++types_deleted;
  return MPI_SUCCESS;
}

// The functions for datatypes: MPI_Type_dup copies, MPI_Type_free deletes.
void datatypes() {
  int type_keyval, flag = -1, data = 0;
  void* value = nullptr;
  MPI_Datatype type, copy;
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, count_deletion, &type_keyval, &types_deleted);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_get_attr(type, type_keyval, &value, &flag);
  CHECK_EQ(flag, 0);
  MPI_Type_set_attr(type, type_keyval, &data);
  MPI_Type_dup(type, &copy);
  MPI_Type_get_attr(copy, type_keyval, &value, &flag);
  CHECK_EQ(flag, 1);
  CHECK(value == &data);
  MPI_Type_delete_attr(type, type_keyval);
  CHECK_EQ(types_deleted, 1);
  MPI_Type_free_keyval(&type_keyval);  // goes on to exist for the copy
  MPI_Type_free(&copy);
  CHECK_EQ(types_deleted, 2);
  MPI_Type_free(&type);
  CHECK_EQ(types_deleted, 2);
}

// Keys of the three kinds of objects.
void keys_of_every_kind() {
  int comm_key, type_key, win_key;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, nullptr);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_key, nullptr);
  for (int key : {comm_key, type_key, win_key}) CHECK(key != MPI_KEYVAL_INVALID);
  MPI_Comm_free_keyval(&comm_key);
  MPI_Type_free_keyval(&type_key);
  MPI_Win_free_keyval(&win_key);
  for (int key : {comm_key, type_key, win_key}) CHECK_EQ(key, MPI_KEYVAL_INVALID);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  cached_operation();
  simple_functions();
  datatypes();
  keys_of_every_kind();
  return check::finish();
}
