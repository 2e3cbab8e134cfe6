// MPI_Finalize deletes the attributes of MPI_COMM_SELF first of all, in the
// reverse order of setting, while MPI still works (MPI 5.0, 11.2.4).
#include <cstdio>

#include "test/check.h"

namespace {

constexpr int kCount = 5;
int keyvals[kCount];
int values[kCount];
int next = -1;  // the value whose turn it is to be deleted

int expect_next(MPI_Comm comm, int keyval, void* value, void*) {
  check::set_case("attribute %d of MPI_COMM_SELF", next);
  CHECK(comm == MPI_COMM_SELF);
  CHECK(next >= 0);
  CHECK_EQ(keyval, keyvals[next]);
  CHECK(value == &values[next]);
  int finalized = -1;
  MPI_Finalized(&finalized);
  CHECK_EQ(finalized, 0);
  // Communication works: a message around all ranks.
  int in = -1;
  MPI_Sendrecv(&next, 1, MPI_INT, (check::rank + 1) % check::size, next, &in, 1, MPI_INT,
               (check::rank + check::size - 1) % check::size, next, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(in, next);
  --next;
  if (next < 0 && check::rank == 0) std::printf("ok %lld checks\n", check::checks.load());
  return MPI_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int i = 0; i < kCount; ++i) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, expect_next, &keyvals[i], nullptr);
  }
  const int order[] = {3, 0, 4, 1, 2};
  // In this order, so that the keyvals' own order does not make the test pass.
  int created[kCount];
  for (int i = 0; i < kCount; ++i) created[i] = keyvals[i];
  for (int i = 0; i < kCount; ++i) {
    keyvals[i] = created[order[i]];
    MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &values[i]);
  }
  for (int& keyval : created) MPI_Comm_free_keyval(&keyval);
  next = kCount - 1;
  MPI_Finalize();
  return next == -1 ? 0 : 1;
}
