// The callbacks of attributes (7.7.2): their arguments and order, calls of MPI
// out of them, and errors that they return.
#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"

namespace {

struct Call {
  char what;  // 'c'opy or 'd'elete
  MPI_Comm comm;
  int keyval;
  void* value;

  bool operator==(const Call&) const = default;
};

std::vector<Call> calls;
int refused = MPI_KEYVAL_INVALID;  // the keyval whose callbacks fail
int returned = MPI_SUCCESS;        // and what they return
char state, data[8];

int copy(MPI_Comm comm, int keyval, void* extra_state, void* in, void* out, int* flag) {
  CHECK(extra_state == &state);
  calls.push_back({'c', comm, keyval, in});
  if (keyval == refused) return returned;
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

int remove(MPI_Comm comm, int keyval, void* value, void* extra_state) {
  CHECK(extra_state == &state);
  calls.push_back({'d', comm, keyval, value});
  return keyval == refused ? returned : MPI_SUCCESS;
}

int make_keyval() {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy, remove, &keyval, &state);
  return keyval;
}

void* get(MPI_Comm comm, int keyval) {
  void* value = nullptr;
  int flag = 0;
  MPI_Comm_get_attr(comm, keyval, &value, &flag);
  return flag ? value : nullptr;
}

// A communicator on which calls return their errors.
MPI_Comm dup(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  CHECK_EQ(MPI_Comm_dup(comm, &copy), MPI_SUCCESS);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  return copy;
}

void arguments_and_order(const std::vector<int>& keyvals) {
  check::set_case("arguments and order");
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  for (int i : {2, 0, 1}) MPI_Comm_set_attr(comm, keyvals[i], data + i);
  calls.clear();
  MPI_Comm second = dup(comm);
  const MPI_Comm name = second;
  const std::vector<Call> copied = {{'c', comm, keyvals[2], data + 2},
                                    {'c', comm, keyvals[0], data},
                                    {'c', comm, keyvals[1], data + 1}};
  CHECK_EQ(calls.size(), copied.size());
  for (const Call& call : copied) CHECK(std::ranges::count(calls, call) == 1);
  if (check::on_atoll()) CHECK(calls == copied);  // the standard leaves the order open
  calls.clear();
  MPI_Comm_free(&second);
  const std::vector<Call> deleted = {{'d', name, keyvals[1], data + 2},
                                     {'d', name, keyvals[0], data + 1},
                                     {'d', name, keyvals[2], data + 3}};
  for (const Call& call : deleted) CHECK(std::ranges::count(calls, call) == 1);
  if (check::on_atoll()) CHECK(calls == deleted);
  MPI_Comm_free(&comm);
}

// MPI_Comm_dup fails with what the callback returned, leaves nothing behind,
// and works the next time.
void failing_copy(const std::vector<int>& keyvals, int error) {
  check::set_case("a copy callback that returns %d", error);
  if (!check::on_atoll()) return;
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  for (int i : {0, 1, 2}) MPI_Comm_set_attr(comm, keyvals[i], data + i);
  calls.clear();
  refused = keyvals[1];
  returned = error;
  MPI_Comm second = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm, &second);
  CHECK_EQ(code, error <= MPI_ERR_LASTCODE ? error : int(MPI_ERR_OTHER));
  CHECK(check::error_text(code).find("returned " + std::to_string(error)) != std::string::npos);
  CHECK(second == MPI_COMM_NULL);
  // The one value that was copied is deleted again.
  CHECK_EQ(calls.size(), std::size_t{3});
  CHECK(calls[1] == (Call{'c', comm, keyvals[1], data + 1}));
  CHECK(calls[2].what == 'd' && calls[2].keyval == keyvals[0] && calls[2].value == data + 1);
  for (int i : {0, 1, 2}) CHECK(get(comm, keyvals[i]) == data + i);
  refused = MPI_KEYVAL_INVALID;
  second = dup(comm);
  CHECK(get(second, keyvals[1]) == data + 2);
  MPI_Comm_free(&second);
  MPI_Comm_free(&comm);
}

// What failed to be deleted stays.
void failing_delete(const std::vector<int>& keyvals) {
  check::set_case("a delete callback that fails");
  if (!check::on_atoll()) return;
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  const MPI_Comm name = comm;
  for (int i : {0, 1, 2}) MPI_Comm_set_attr(comm, keyvals[i], data + i);
  refused = keyvals[1];
  returned = MPI_ERR_ARG;
  CHECK_EQ(MPI_Comm_delete_attr(comm, keyvals[1]), MPI_ERR_ARG);
  CHECK(get(comm, keyvals[1]) == data + 1);
  CHECK_EQ(MPI_Comm_set_attr(comm, keyvals[1], data + 5), MPI_ERR_ARG);
  CHECK(get(comm, keyvals[1]) == data + 1);
  CHECK_EQ(MPI_Comm_free(&comm), MPI_ERR_ARG);
  CHECK(comm == name);
  CHECK(get(comm, keyvals[1]) == data + 1);
  int size = 0;
  CHECK_EQ(MPI_Comm_size(comm, &size), MPI_SUCCESS);
  CHECK_EQ(size, check::size);
  refused = MPI_KEYVAL_INVALID;
  calls.clear();
  CHECK_EQ(MPI_Comm_free(&comm), MPI_SUCCESS);
  CHECK(comm == MPI_COMM_NULL);
  CHECK_EQ(calls.size(), std::size_t{2});  // keyvals[2] went at the first try
  CHECK(calls[0] == (Call{'d', name, keyvals[1], data + 1}));
  CHECK(calls[1] == (Call{'d', name, keyvals[0], data}));
}

// --- callbacks that call MPI, on the very communicator that they are called for ---

int companion = MPI_KEYVAL_INVALID;  // a keyval that the next callbacks change
int self_freeing = MPI_KEYVAL_INVALID;

int busy_copy(MPI_Comm comm, int, void*, void* in, void* out, int* flag) {
  MPI_Comm inner;
  MPI_Comm_dup(MPI_COMM_SELF, &inner);
  MPI_Comm_free(&inner);
  MPI_Comm_set_attr(comm, companion, data + 6);
  MPI_Comm_delete_attr(comm, companion);
  *static_cast<void**>(out) = in;
  *flag = 1;
  return MPI_SUCCESS;
}

int busy_delete(MPI_Comm comm, int, void*, void*) {
  MPI_Comm_delete_attr(comm, companion);
  if (self_freeing != MPI_KEYVAL_INVALID) MPI_Comm_free_keyval(&self_freeing);
  return MPI_SUCCESS;
}

void calls_from_callbacks() {
  check::set_case("callbacks that call MPI");
  if (!check::on_atoll()) return;  // others do not bear it
  int busy = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(busy_copy, busy_delete, &busy, nullptr);
  companion = make_keyval();
  MPI_Comm comm = dup(MPI_COMM_WORLD);
  MPI_Comm_set_attr(comm, busy, data);
  MPI_Comm second = dup(comm);
  CHECK(get(second, busy) == data);
  CHECK(get(comm, companion) == nullptr);
  MPI_Comm_set_attr(comm, companion, data + 1);
  MPI_Comm_set_attr(second, companion, data + 1);
  MPI_Comm_delete_attr(comm, busy);
  CHECK(get(comm, companion) == nullptr);
  self_freeing = busy;  // the last user frees the keyval out of its own callback
  calls.clear();
  MPI_Comm_free(&second);
  CHECK_EQ(calls.size(), std::size_t{1});  // the companion's, once
  CHECK_EQ(self_freeing, MPI_KEYVAL_INVALID);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&companion);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  const std::vector<int> keyvals = {make_keyval(), make_keyval(), make_keyval()};
  arguments_and_order(keyvals);
  // The last is not an error code.
  for (int error : {int(MPI_ERR_NO_MEM), int(MPI_ERR_OTHER), 123456}) failing_copy(keyvals, error);
  failing_delete(keyvals);
  calls_from_callbacks();
  for (int keyval : keyvals) MPI_Comm_free_keyval(&keyval);
  return check::finish();
}
