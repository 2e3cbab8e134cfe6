// "Three-Group Pipeline" and "Three-Group Ring": three groups, joined by
// inter-communicators, pass a number on.
// Corrected: the pipeline frees myComm as well; with fewer than three ranks there
// are fewer than three groups, and nothing to do.
#include "test/check.h"

namespace {

// Rank 0 of a group tells rank 0 of another, which passes it on in its group.
int pass(int value, bool sends, MPI_Comm inter, MPI_Comm own) {
  int me = -1;
  MPI_Comm_rank(own, &me);
  if (me == 0) {
    if (sends) {
      MPI_Send(&value, 1, MPI_INT, 0, 5, inter);
    } else {
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, MPI_STATUS_IGNORE);
    }
  }
  MPI_Bcast(&value, 1, MPI_INT, 0, own);
  return value;
}

// Those of a key are told by a remote size what the split must have made.
void check_remote(MPI_Comm inter, int key) {
  int size = -1;
  MPI_Comm_remote_size(inter, &size);
  CHECK_EQ(size, (check::size + 2 - key) / 3);
}

void pipeline() {
  check::set_case("pipeline");
  MPI_Comm myComm;        // intra-communicator of local sub-group
  MPI_Comm myFirstComm;   // inter-communicator
  MPI_Comm mySecondComm;  // second inter-communicator (group 1 only)
  const int membershipKey = check::rank % 3;
  MPI_Comm_split(MPI_COMM_WORLD, membershipKey, check::rank, &myComm);
  if (membershipKey == 0) {  // group 0 communicates with group 1
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 1, 1, &myFirstComm);
    check_remote(myFirstComm, 1);
    pass(4711, true, myFirstComm, myComm);
  } else if (membershipKey == 1) {  // group 1 communicates with groups 0 and 2
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 0, 1, &myFirstComm);
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 2, 12, &mySecondComm);
    check_remote(myFirstComm, 0);
    check_remote(mySecondComm, 2);
    const int got = pass(-1, false, myFirstComm, myComm);
    CHECK_EQ(got, 4711);
    pass(got + 1, true, mySecondComm, myComm);
  } else {  // group 2 communicates with group 1
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 1, 12, &myFirstComm);
    check_remote(myFirstComm, 1);
    CHECK_EQ(pass(-1, false, myFirstComm, myComm), 4712);
  }
  if (membershipKey == 1) MPI_Comm_free(&mySecondComm);
  MPI_Comm_free(&myFirstComm);
  MPI_Comm_free(&myComm);
}

void ring() {
  check::set_case("ring");
  MPI_Comm myComm, myFirstComm, mySecondComm;
  const int membershipKey = check::rank % 3;
  MPI_Comm_split(MPI_COMM_WORLD, membershipKey, check::rank, &myComm);
  if (membershipKey == 0) {  // group 0 communicates with groups 1 and 2
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 1, 1, &myFirstComm);
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 2, 2, &mySecondComm);
  } else if (membershipKey == 1) {  // group 1 communicates with groups 0 and 2
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 0, 1, &myFirstComm);
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 2, 12, &mySecondComm);
  } else {  // group 2 communicates with groups 0 and 1
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 0, 2, &myFirstComm);
    MPI_Intercomm_create(myComm, 0, MPI_COMM_WORLD, 1, 12, &mySecondComm);
  }
  // Once round: 0, 1, 2, 0.
  const int last = 2 - membershipKey;  // key of the other group in mySecondComm, but for 1
  check_remote(myFirstComm, membershipKey == 0 ? 1 : 0);
  check_remote(mySecondComm, membershipKey == 1 ? 2 : last == 0 ? 1 : last);
  if (membershipKey == 0) {
    pass(1, true, myFirstComm, myComm);
    CHECK_EQ(pass(-1, false, mySecondComm, myComm), 3);
  } else if (membershipKey == 1) {
    pass(pass(-1, false, myFirstComm, myComm) + 1, true, mySecondComm, myComm);
  } else {
    pass(pass(-1, false, mySecondComm, myComm) + 1, true, myFirstComm, myComm);
  }
  MPI_Comm_free(&myFirstComm);
  MPI_Comm_free(&mySecondComm);
  MPI_Comm_free(&myComm);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK(check::size > 0);
  if (check::size >= 3) {
    pipeline();
    ring();
  }
  return check::finish();
}
