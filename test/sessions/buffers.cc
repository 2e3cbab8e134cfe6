// Buffers for buffered sends that belong to a session (MPI 5.0, 3.6): what is
// derived from it uses them, a communicator's own comes first, and nothing else
// touches them.
#include <vector>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 50

namespace {

constexpr int kInts = 100;

// Buffered sends around a ring; their class of error.
int send_around(MPI_Comm comm) {
  int rank = -1, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const std::vector<int> out(kInts, rank);
  const int code = MPI_Bsend(out.data(), kInts, MPI_INT, (rank + 1) % size, 4, comm);
  if (code != MPI_SUCCESS) return check::error_class(code);
  std::vector<int> in(kInts, -1);
  MPI_Recv(in.data(), kInts, MPI_INT, (rank + size - 1) % size, 4, comm, MPI_STATUS_IGNORE);
  CHECK(in == std::vector<int>(kInts, (rank + size - 1) % size));
  return MPI_SUCCESS;
}

void attached(MPI_Session session, MPI_Comm comm) {
  check::set_case("attached to the session");
  CHECK_EQ(send_around(comm), MPI_ERR_BUFFER);
  std::vector<char> memory(2 * kInts * sizeof(int) + 2 * MPI_BSEND_OVERHEAD);
  MPI_Session_attach_buffer(session, memory.data(), int(memory.size()));
  CHECK_EQ(send_around(comm), MPI_SUCCESS);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  CHECK_EQ(send_around(copy), MPI_SUCCESS);
  MPI_Session_flush_buffer(session);
  MPI_Request request;
  MPI_Session_iflush_buffer(session, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  check::set_case("a communicator's own buffer comes first");
  char small[1];
  MPI_Comm_attach_buffer(copy, small, sizeof small);
  CHECK_EQ(send_around(copy), MPI_ERR_BUFFER);
  void* address = nullptr;
  int size = -1;
  MPI_Comm_detach_buffer(copy, &address, &size);
  CHECK_EQ(send_around(copy), MPI_SUCCESS);
  MPI_Comm_disconnect(&copy);

  MPI_Session_detach_buffer(session, &address, &size);
  CHECK(address == memory.data());
  CHECK_EQ(size, int(memory.size()));
  CHECK_EQ(send_around(comm), MPI_ERR_BUFFER);
}

void of_another_session(MPI_Session session, MPI_Comm comm) {
  check::set_case("attached to another session");
  MPI_Session other = sessions::open();
  MPI_Session_attach_buffer_c(other, MPI_BUFFER_AUTOMATIC, 0);
  CHECK_EQ(send_around(comm), MPI_ERR_BUFFER);
  MPI_Comm world = sessions::comm(other, "mpi://WORLD", "org.example.other");
  CHECK_EQ(send_around(world), MPI_SUCCESS);
  MPI_Comm_disconnect(&world);
  sessions::close(other);  // with its buffer
  MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0);
  CHECK_EQ(send_around(comm), MPI_SUCCESS);
}

}  // namespace

int main() {
  MPI_Session session = sessions::open();
  MPI_Comm world = sessions::comm(session, "mpi://WORLD", "org.example.buffers");
  MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  sessions::set_rank_and_size(world);
  attached(session, world);
  of_another_session(session, world);
  MPI_Comm_disconnect(&world);
  sessions::close(session);
  return sessions::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
