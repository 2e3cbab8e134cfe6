// Operations that are incomplete when MPI_Finalize is called (11.2): messages of completed sends
// arrive nevertheless, and leftover requests do no harm.
#include <unistd.h>

#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kBytes = 300000;  // more than is sent at once

std::vector<char> freed(kBytes), attached(kBytes + MPI_BSEND_OVERHEAD);
int never = -1;

// The receiver comes late: the sender is in MPI_Finalize by then.
void send_and_leave(int peer) {
  check::fill(freed.data(), freed.size(), 1);
  std::vector<char> data(kBytes);
  check::fill(data.data(), data.size(), 2);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  MPI_Request request;
  MPI_Isend(freed.data(), kBytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Bsend(data.data(), kBytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD);
  MPI_Send(&check::rank, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
}

void receive_late(int peer) {
  usleep(20000);  // only makes it likely that the sender has left
  std::vector<char> data(kBytes);
  int value = -1;
  MPI_Recv(&value, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(value, peer);
  MPI_Recv(data.data(), kBytes, MPI_BYTE, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_PATTERN(data.data(), kBytes, 2);
  MPI_Recv(data.data(), kBytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_PATTERN(data.data(), kBytes, 1);
}

// Left over on purpose, without effect on others: a message that is never received, persistent
// requests never freed, a communicator never freed, a completed request never waited for.
void leave_things_behind() {
  MPI_Request request;
  MPI_Send(&never, 1, MPI_INT, check::rank ^ 1, 99, MPI_COMM_WORLD);
  MPI_Send_init(&never, 1, MPI_INT, 0, 98, MPI_COMM_WORLD, &request);
  MPI_Isend(&never, 0, MPI_INT, MPI_PROC_NULL, 97, MPI_COMM_WORLD, &request);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const bool last_alone = (check::rank ^ 1) >= check::size;
  CHECK_EQ(never, -1);
  if (!last_alone) {
    if (check::rank & 1) {
      send_and_leave(check::rank ^ 1);
    } else {
      receive_late(check::rank ^ 1);
    }
    if (check::on_atoll()) leave_things_behind();
  }
  MPI_Finalize();
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) return 1;
  // Not the total: the ranks do not meet again after what is tested.
  if (check::rank == 0) std::printf("ok %lld checks\n", check::checks.load());
  return 0;
}
