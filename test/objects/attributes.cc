// Attributes of communicators (7.7.2): values, keyvals and their lifetimes, copies.
#include <vector>

#include "test/check.h"

namespace {

// What the callbacks of the counting keyvals have seen.
struct Counts {
  int copies = 0;
  int deletions = 0;
};

int copy_and_count(MPI_Comm, int, void* extra_state, void* in, void* out, int* flag) {
  ++static_cast<Counts*>(extra_state)->copies;
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_and_count(MPI_Comm, int, void*, void* extra_state) {
  ++static_cast<Counts*>(extra_state)->deletions;
  return MPI_SUCCESS;
}

int counting_keyval(Counts& counts) {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_and_count, delete_and_count, &keyval, &counts);
  CHECK(keyval != MPI_KEYVAL_INVALID);
  return keyval;
}

// The attribute, or null when there is none.
void* get(MPI_Comm comm, int keyval) {
  void* value = nullptr;
  int flag = -1;
  CHECK_EQ(MPI_Comm_get_attr(comm, keyval, &value, &flag), MPI_SUCCESS);
  CHECK(flag == 0 || flag == 1);
  return flag ? value : nullptr;
}

MPI_Comm dup(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  CHECK_EQ(MPI_Comm_dup(comm, &copy), MPI_SUCCESS);
  return copy;
}

char data[16];

void set_get_delete(MPI_Comm comm) {
  check::set_case("set, get, replace, delete");
  Counts counts;
  int keyval = counting_keyval(counts);
  void* untouched = data + 15;
  int flag = -1;
  MPI_Comm_get_attr(comm, keyval, &untouched, &flag);
  CHECK_EQ(flag, 0);
  if (check::on_atoll()) CHECK(untouched == data + 15);
  MPI_Comm_set_attr(comm, keyval, data + 1);
  CHECK(get(comm, keyval) == data + 1);
  CHECK_EQ(counts.deletions, 0);
  MPI_Comm_set_attr(comm, keyval, data + 2);  // deletes the first value
  CHECK_EQ(counts.deletions, 1);
  CHECK(get(comm, keyval) == data + 2);
  MPI_Comm_set_attr(comm, keyval, nullptr);  // a null value is a value
  CHECK_EQ(counts.deletions, 2);
  void* value = data;
  MPI_Comm_get_attr(comm, keyval, &value, &flag);
  CHECK_EQ(flag, 1);
  CHECK(value == nullptr);
  CHECK_EQ(MPI_Comm_delete_attr(comm, keyval), MPI_SUCCESS);
  CHECK_EQ(counts.deletions, 3);
  CHECK(get(comm, keyval) == nullptr);
  if (check::on_atoll()) {
    CHECK_EQ(MPI_Comm_delete_attr(comm, keyval), MPI_SUCCESS);  // nothing to do
    CHECK_EQ(counts.deletions, 3);
  }
  MPI_Comm_free_keyval(&keyval);
  CHECK_EQ(keyval, MPI_KEYVAL_INVALID);
  CHECK_EQ(counts.copies, 0);
}

// Each communicator has its own values.
void separate() {
  check::set_case("values on several communicators");
  Counts counts;
  int keyval = counting_keyval(counts);
  std::vector<MPI_Comm> comms(8);
  for (MPI_Comm& comm : comms) comm = dup(MPI_COMM_WORLD);
  for (std::size_t i = 0; i < comms.size(); ++i) MPI_Comm_set_attr(comms[i], keyval, data + i);
  CHECK(get(MPI_COMM_WORLD, keyval) == nullptr);
  for (std::size_t i = 0; i < comms.size(); ++i) CHECK(get(comms[i], keyval) == data + i);
  MPI_Comm_free_keyval(&keyval);
  for (std::size_t i = 0; i < comms.size(); ++i) {
    CHECK_EQ(counts.deletions, int(i));
    MPI_Comm_free(&comms[i]);
  }
  CHECK_EQ(counts.deletions, int(comms.size()));
  CHECK_EQ(counts.copies, 0);
}

void standard_functions() {
  check::set_case("the standard's copy functions");
  int copied, not_copied;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &copied, nullptr);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &not_copied, nullptr);
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  MPI_Comm_set_attr(comm, copied, data + 3);
  MPI_Comm_set_attr(comm, not_copied, data + 4);
  MPI_Comm copy = dup(comm);
  CHECK(get(copy, copied) == data + 3);
  CHECK(get(copy, not_copied) == nullptr);
  MPI_Comm_delete_attr(comm, copied);  // the copy has its own
  CHECK(get(copy, copied) == data + 3);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&copied);
  MPI_Comm_free_keyval(&not_copied);
}

// A value passes through the copy callback at each link of a chain of copies.
void chain_of_copies() {
  check::set_case("a chain of copies");
  Counts counts;
  int keyval = counting_keyval(counts);
  std::vector<MPI_Comm> comms(6, MPI_COMM_NULL);
  comms[0] = dup(MPI_COMM_WORLD);
  MPI_Comm_set_attr(comms[0], keyval, data);
  for (std::size_t i = 1; i < comms.size(); ++i) comms[i] = dup(comms[i - 1]);
  CHECK_EQ(counts.copies, int(comms.size()) - 1);
  for (std::size_t i = 0; i < comms.size(); ++i) CHECK(get(comms[i], keyval) == data + i);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  CHECK_EQ(counts.deletions, int(comms.size()));
  MPI_Comm_free_keyval(&keyval);
}

// 7.7.2: a freed keyval in use goes on working for what is attached already.
void freed_in_use() {
  check::set_case("a keyval freed while in use");
  Counts counts;
  int keyval = counting_keyval(counts);
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  MPI_Comm_set_attr(comm, keyval, data);
  MPI_Comm_free_keyval(&keyval);
  Counts others;
  int other = counting_keyval(others);  // does not get into the way of the freed one
  MPI_Comm copy = dup(comm);
  CHECK_EQ(counts.copies, 1);
  CHECK(get(copy, other) == nullptr);
  MPI_Comm_free(&comm);
  CHECK_EQ(counts.deletions, 1);
  MPI_Comm_free(&copy);
  CHECK_EQ(counts.deletions, 2);
  MPI_Comm_free_keyval(&other);
  CHECK_EQ(others.copies + others.deletions, 0);
}

// 7.7.2: it exists until the last attribute is gone: it is known by its number, in whatever
// order everything ends.
void named_after_free() {
  check::set_case("attributes by a keyval that was freed");
  Counts counts;
  const int number = counting_keyval(counts);
  const auto free = [&] {
    int keyval = number;
    CHECK_EQ(MPI_Comm_free_keyval(&keyval), MPI_SUCCESS);
    CHECK_EQ(keyval, MPI_KEYVAL_INVALID);
  };
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  MPI_Comm_set_attr(comm, number, data);
  MPI_Comm_set_attr(MPI_COMM_SELF, number, data + 3);
  free();
  CHECK(get(comm, number) == data);
  MPI_Comm copy = dup(comm);
  CHECK_EQ(counts.copies, 1);
  CHECK(get(copy, number) == data + 1);
  CHECK_EQ(MPI_Comm_delete_attr(comm, number), MPI_SUCCESS);
  CHECK_EQ(counts.deletions, 1);
  CHECK(get(comm, number) == nullptr);
  MPI_Comm_free(&copy);
  CHECK_EQ(counts.deletions, 2);
  free();  // its handle may have been copied
  CHECK_EQ(MPI_Comm_delete_attr(MPI_COMM_SELF, number), MPI_SUCCESS);
  CHECK_EQ(counts.deletions, 3);
  MPI_Comm_free(&comm);
  if (!check::on_atoll()) return;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  void* value = nullptr;
  int flag = 0;
  CHECK_EQ(check::error_class(MPI_Comm_get_attr(MPI_COMM_SELF, number, &value, &flag)),
           MPI_ERR_KEYVAL);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

// The names of MPI-1 are the same functions under other names (16.1).
void old_names() {
  check::set_case("MPI_Keyval_create, MPI_Attr_put, ...");
  Counts counts;
  int keyval = MPI_KEYVAL_INVALID, null_keyval = MPI_KEYVAL_INVALID, dup_keyval;
  MPI_Keyval_create(copy_and_count, delete_and_count, &keyval, &counts);
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &null_keyval, nullptr);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &dup_keyval, nullptr);
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  for (int one : {keyval, null_keyval, dup_keyval}) MPI_Attr_put(comm, one, data + 7);
  CHECK(get(comm, keyval) == data + 7);
  MPI_Comm copy = dup(comm);
  void* value = nullptr;
  int flag = -1;
  MPI_Attr_get(copy, keyval, &value, &flag);
  CHECK_EQ(flag, 1);
  CHECK(value == data + 8);
  CHECK(get(copy, null_keyval) == nullptr);
  CHECK(get(copy, dup_keyval) == data + 7);
  MPI_Attr_delete(copy, keyval);
  CHECK_EQ(counts.deletions, 1);
  CHECK(get(copy, keyval) == nullptr);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  CHECK_EQ(counts.deletions, 2);
  for (int* one : {&keyval, &null_keyval, &dup_keyval}) {
    MPI_Keyval_free(one);
    CHECK_EQ(*one, MPI_KEYVAL_INVALID);
  }
}

void many() {
  check::set_case("many keyvals and attributes");
  constexpr int kKeyvals = 300;
  Counts counts;
  std::vector<int> keyvals(kKeyvals);
  for (int& keyval : keyvals) keyval = counting_keyval(counts);
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  for (int i = 0; i < kKeyvals; ++i) MPI_Comm_set_attr(comm, keyvals[i], data + i % 16);
  for (int i = 0; i < kKeyvals; i += 3) MPI_Comm_delete_attr(comm, keyvals[i]);
  for (int i = 0; i < kKeyvals; ++i) {
    CHECK(get(comm, keyvals[i]) == (i % 3 == 0 ? nullptr : data + i % 16));
  }
  for (int& keyval : keyvals) MPI_Comm_free_keyval(&keyval);
  MPI_Comm_free(&comm);
  CHECK_EQ(counts.deletions, kKeyvals);
  for (int i = 0; i < 20000; ++i) {  // numbers come and go
    int keyval = counting_keyval(counts);
    MPI_Comm_free_keyval(&keyval);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) set_get_delete(comm);
  separate();
  standard_functions();
  chain_of_copies();
  freed_in_use();
  named_after_free();
  old_names();
  many();
  return check::finish();
}
