// "Library Example #1": a library keeps a communicator of its own in each handle,
// so that two uses of it and the program's own messages are under way at once.
// Corrected: MPI_Allreduce, so that all ranks see that the work is done, and not only
// the root of an MPI_Reduce; the waits are given the requests and a status that exists.
#include <cstdlib>

#include "test/check.h"

namespace {

struct user_lib_t {
  MPI_Comm comm;
  MPI_Request irecv_handle, isend_handle;
  int in, out;
};

void init_user_lib(MPI_Comm comm, user_lib_t** handle) {
  auto* save = static_cast<user_lib_t*>(std::malloc(sizeof(user_lib_t)));  // local
  MPI_Comm_dup(comm, &save->comm);
  *handle = save;
}

void user_start_op(user_lib_t* handle, int data) {
  int me, size;
  MPI_Comm_rank(handle->comm, &me);
  MPI_Comm_size(handle->comm, &size);
  handle->out = data;
  handle->in = -1;
  MPI_Irecv(&handle->in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, handle->comm,
            &handle->irecv_handle);
  MPI_Isend(&handle->out, 1, MPI_INT, (me + 1) % size, 0, handle->comm, &handle->isend_handle);
}

void user_end_op(user_lib_t* handle) {
  MPI_Status status;
  MPI_Wait(&handle->isend_handle, &status);
  MPI_Wait(&handle->irecv_handle, &status);
}

void uninit_user_lib(user_lib_t* handle) {
  MPI_Comm_free(&handle->comm);
  std::free(handle);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  user_lib_t *libh_a, *libh_b;
  init_user_lib(MPI_COMM_WORLD, &libh_a);
  init_user_lib(MPI_COMM_WORLD, &libh_b);
  for (int dataset = 0; dataset < 20; ++dataset) {
    check::set_case("dataset %d", dataset);
    user_start_op(libh_a, 2 * dataset);
    user_start_op(libh_b, 2 * dataset + 1);
    int done = 0, rounds = 0;
    while (!done) {
      const int mine_is_done = ++rounds > check::rank;  // work
      MPI_Allreduce(&mine_is_done, &done, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    }
    CHECK_EQ(rounds, check::size);
    user_end_op(libh_b);
    user_end_op(libh_a);
    CHECK_EQ(libh_a->in, 2 * dataset);
    CHECK_EQ(libh_b->in, 2 * dataset + 1);
  }
  uninit_user_lib(libh_a);
  uninit_user_lib(libh_b);
  return check::finish();
}
