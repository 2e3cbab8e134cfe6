// The attributes that the standard defines (9.1.2, 11.8.1, 11.10.1).
#include <climits>

#include "test/check.h"

namespace {

// The value, or null when it has none.
const int* get(MPI_Comm comm, int keyval) {
  int* value = nullptr;
  int flag = -1;
  CHECK_EQ(MPI_Comm_get_attr(comm, keyval, &value, &flag), MPI_SUCCESS);
  CHECK_EQ(flag, int(flag != 0));
  if (flag) CHECK(value != nullptr);
  return flag ? value : nullptr;
}

void environment(MPI_Comm comm) {
  const int* tag_ub = get(comm, MPI_TAG_UB);
  CHECK(tag_ub != nullptr);
  CHECK(*tag_ub >= 32767);
  const int* io = get(comm, MPI_IO);
  CHECK(io != nullptr);
  CHECK(*io == MPI_ANY_SOURCE || (*io >= 0 && *io < check::size));
  const int* host = get(comm, MPI_HOST);
  if (host != nullptr) CHECK(*host == MPI_PROC_NULL || (*host >= 0 && *host < check::size));
  const int* global = get(comm, MPI_WTIME_IS_GLOBAL);
  CHECK(global != nullptr);
  CHECK(*global == 0 || *global == 1);
  const int* last = get(comm, MPI_LASTUSEDCODE);
  CHECK(last != nullptr);
  CHECK(*last >= MPI_ERR_LASTCODE);
  const int* universe = get(comm, MPI_UNIVERSE_SIZE);
  if (universe != nullptr) CHECK(*universe >= check::size);
  if (!check::on_atoll()) return;
  CHECK_EQ(*tag_ub, INT_MAX);
  CHECK_EQ(*global, 1);
  CHECK_EQ(*io, MPI_ANY_SOURCE);
  CHECK(universe != nullptr);
  const int* appnum = get(comm, MPI_APPNUM);
  CHECK(appnum != nullptr);  // started by mpiexec, one program
  CHECK_EQ(*appnum, 0);
}

// A message with the largest tag there is.
void largest_tag() {
  check::set_case("the largest tag");
  const int tag = *get(MPI_COMM_WORLD, MPI_TAG_UB);
  int out = check::rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_INT, (check::rank + 1) % check::size, tag, &in, 1, MPI_INT,
               (check::rank + check::size - 1) % check::size, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_EQ(in, (check::rank + check::size - 1) % check::size);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::set_case("MPI_COMM_WORLD");
  environment(MPI_COMM_WORLD);
  if (check::on_atoll()) {
    check::set_case("a copy of MPI_COMM_WORLD");
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    environment(comm);
    MPI_Comm_free(&comm);
  }
  largest_tag();
  return check::finish();
}
