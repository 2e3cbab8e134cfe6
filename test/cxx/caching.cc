// Caching in C++ (MPI-2.2, 6.7): attributes of communicators, datatypes and windows.
#include <mpicxx.h>

#include "test/check.h"

namespace {

int copies = 0, deletions = 0;
int extra = 17;

int copy_comm(const MPI::Comm& old, int keyval, void* extra_state, void* in, void* out,
              bool& flag) {
  CHECK(old.Get_size() > 0);
  CHECK(keyval != MPI::KEYVAL_INVALID);
  CHECK(extra_state == &extra);
  *static_cast<void**>(out) = static_cast<int*>(in) + 1;
  flag = true;
  ++copies;
  return MPI::SUCCESS;
}

int delete_comm(MPI::Comm& comm, int, void* value, void* extra_state) {
  CHECK(comm.Get_size() > 0);
  CHECK(value != nullptr);
  CHECK(extra_state == &extra);
  ++deletions;
  return MPI::SUCCESS;
}

int refuse_copy(const MPI::Comm&, int, void*, void*, void*, bool&) { return MPI::ERR_OTHER; }

int copy_type(const MPI::Datatype& old, int, void* extra_state, const void* in, void* out,
              bool& flag) {
  CHECK_EQ(old.Get_size(), static_cast<int>(2 * sizeof(int)));
  CHECK(extra_state == &extra);
  *static_cast<const void**>(out) = in;
  flag = copies++ == 0;  // the first time only
  return MPI::SUCCESS;
}

int delete_type(MPI::Datatype&, int, void*, void*) {
  ++deletions;
  return MPI::SUCCESS;
}

int copy_win(const MPI::Win&, int, void*, void*, void*, bool& flag) {
  flag = false;
  return MPI::SUCCESS;
}

int delete_win(MPI::Win&, int, void*, void*) { return MPI::SUCCESS; }

template <class Object>
void* attribute_of(const Object& object, int keyval) {
  void* value = nullptr;
  return object.Get_attr(keyval, &value) ? value : nullptr;
}

void of_communicators() {
  check::set_case("communicators");
  int values[3] = {1, 2, 3};
  int keyval = MPI::Comm::Create_keyval(copy_comm, delete_comm, &extra);
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  CHECK(attribute_of(comm, keyval) == nullptr);
  comm.Set_attr(keyval, &values[0]);
  CHECK(attribute_of(comm, keyval) == &values[0]);

  MPI::Intracomm copy = comm.Dup();
  CHECK(attribute_of(copy, keyval) == &values[1]);
  MPI::Comm& clone = copy.Clone();
  CHECK(attribute_of(clone, keyval) == &values[2]);
  CHECK_EQ(copies, 2);
  clone.Free();
  delete &clone;
  copy.Free();
  CHECK_EQ(deletions, 2);
  comm.Delete_attr(keyval);
  CHECK_EQ(deletions, 3);
  MPI::Comm::Free_keyval(keyval);
  CHECK(keyval == MPI::KEYVAL_INVALID);
  comm.Free();
}

// A copy function that fails is an error of the duplication.
void of_refused_copies() {
  check::set_case("refused copies");
  int keyval = MPI::Comm::Create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, nullptr);
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  comm.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  comm.Set_attr(keyval, &extra);
  bool caught = false;
  try {
    comm.Dup();
  } catch (const MPI::Exception& exception) {
    caught = exception.Get_error_class() == MPI::ERR_OTHER;
  }
  CHECK(caught);
  comm.Free();
  MPI::Comm::Free_keyval(keyval);
}

// The functions of C that the standard has, with those of C++ or without.
void with_functions_of_c() {
  check::set_case("functions of C");
  int duplicated = MPI::Comm::Create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, nullptr);
  int lost = MPI::Comm::Create_keyval(MPI_COMM_NULL_COPY_FN, delete_comm, &extra);
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  comm.Set_attr(duplicated, &extra);
  comm.Set_attr(lost, &extra);
  MPI::Intracomm copy = comm.Dup();
  CHECK(attribute_of(copy, duplicated) == &extra);
  CHECK(attribute_of(copy, lost) == nullptr);
  copy.Free();
  deletions = 0;
  comm.Free();
  CHECK_EQ(deletions, 1);
  MPI::Comm::Free_keyval(duplicated);
  MPI::Comm::Free_keyval(lost);
}

void of_datatypes() {
  check::set_case("datatypes");
  copies = deletions = 0;
  int keyval = MPI::Datatype::Create_keyval(copy_type, delete_type, &extra);
  MPI::Datatype pair = MPI::INT.Create_contiguous(2);
  pair.Set_attr(keyval, &extra);
  MPI::Datatype with = pair.Dup();
  MPI::Datatype without = pair.Dup();
  CHECK(attribute_of(with, keyval) == &extra);
  CHECK(attribute_of(without, keyval) == nullptr);
  with.Free();
  without.Free();
  CHECK_EQ(deletions, 1);
  pair.Delete_attr(keyval);
  CHECK_EQ(deletions, 2);
  pair.Free();
  MPI::Datatype::Free_keyval(keyval);
  int of_c = MPI::Datatype::Create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  MPI::Datatype::Free_keyval(of_c);
}

void of_windows() {
  check::set_case("windows");
  int keyval = MPI::Win::Create_keyval(copy_win, delete_win, nullptr);
  CHECK(keyval != MPI::KEYVAL_INVALID);
  MPI::Win::Free_keyval(keyval);
  CHECK(keyval == MPI::KEYVAL_INVALID);
  int of_c = MPI::Win::Create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, nullptr);
  MPI::Win::Free_keyval(of_c);
}

void predefined() {
  check::set_case("predefined");
  int* value = nullptr;
  CHECK(MPI::COMM_WORLD.Get_attr(MPI::TAG_UB, &value));
  CHECK(*value >= 32767);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  of_communicators();
  of_refused_copies();
  with_functions_of_c();
  of_datatypes();
  of_windows();
  predefined();
  return check::finish();
}
