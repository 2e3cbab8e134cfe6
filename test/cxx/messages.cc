// Point-to-point communication in C++.
#include <mpicxx.h>

#include <vector>

#include "test/check.h"

namespace {

constexpr int kTag = 5;

struct Ring {
  int left = (check::rank + check::size - 1) % check::size;
  int right = (check::rank + 1) % check::size;
};

void blocking() {
  check::set_case("blocking");
  const Ring ring;
  MPI::Intracomm& world = MPI::COMM_WORLD;
  int own[2] = {check::rank, -check::rank};
  int got[3] = {-1, -1, -1};
  MPI::Status status;
  world.Sendrecv(own, 2, MPI::INT, ring.right, kTag, got, 3, MPI::INT, ring.left, MPI::ANY_TAG,
                 status);
  CHECK_EQ(got[0], ring.left);
  CHECK_EQ(status.Get_source(), ring.left);
  CHECK_EQ(status.Get_tag(), kTag);
  CHECK_EQ(status.Get_count(MPI::INT), 2);
  CHECK_EQ(status.Get_elements(MPI::INT), 2);
  CHECK(!status.Is_cancelled());
  world.Sendrecv_replace(got, 1, MPI::INT, ring.right, kTag, ring.left, kTag);
  CHECK_EQ(got[0], (check::rank + 2 * check::size - 2) % check::size);
}

void probed() {
  check::set_case("probed");
  const Ring ring;
  MPI::Request request = MPI::COMM_WORLD.Issend(&ring, 1, MPI::INT, ring.right, kTag);
  MPI::Status status;
  MPI::COMM_WORLD.Probe(MPI::ANY_SOURCE, kTag, status);
  CHECK_EQ(status.Get_source(), ring.left);
  CHECK(MPI::COMM_WORLD.Iprobe(ring.left, kTag));
  CHECK(!MPI::COMM_WORLD.Iprobe(ring.left, kTag + 1));
  int left_of_left = -1;
  MPI::COMM_WORLD.Recv(&left_of_left, 1, MPI::INT, ring.left, kTag);
  request.Wait();
  CHECK(request == MPI::REQUEST_NULL);
}

void requests() {
  check::set_case("requests");
  const Ring ring;
  std::vector<int> got(4, -1);
  const std::vector<int> sent(4, check::rank);
  MPI::Request all[8];
  for (int i = 0; i < 4; ++i) {
    all[i] = MPI::COMM_WORLD.Irecv(&got[i], 1, MPI::INT, ring.left, i);
    all[4 + i] = MPI::COMM_WORLD.Isend(&sent[i], 1, MPI::INT, ring.right, i);
  }
  MPI::Status status;
  const int first = MPI::Request::Waitany(4, all, status);
  CHECK_EQ(status.Get_tag(), first);
  int indices[8];
  MPI::Status statuses[8];
  int done = 1 + MPI::Request::Waitsome(8, all, indices, statuses);
  CHECK(done > 1);
  MPI::Request::Waitall(8, all);
  for (const MPI::Request& request : all) CHECK(request == MPI::REQUEST_NULL);
  for (const int value : got) CHECK_EQ(value, ring.left);
  int index = 0;
  CHECK(MPI::Request::Testany(8, all, index));
  CHECK(index == MPI::UNDEFINED);
  CHECK(MPI::Request::Testall(8, all));
}

void persistent() {
  check::set_case("persistent");
  const Ring ring;
  int own = 0, got = -1;
  MPI::Prequest both[2] = {MPI::COMM_WORLD.Recv_init(&got, 1, MPI::INT, ring.left, kTag),
                           MPI::COMM_WORLD.Send_init(&own, 1, MPI::INT, ring.right, kTag)};
  for (int round = 0; round < 5; ++round) {
    own = 10 * check::rank + round;
    MPI::Prequest::Startall(2, both);
    for (MPI::Prequest& request : both) request.Wait();
    CHECK_EQ(got, 10 * ring.left + round);
  }
  for (MPI::Prequest& request : both) request.Free();
}

void cancelled() {
  check::set_case("cancelled");
  int never = 0;
  MPI::Request request = MPI::COMM_WORLD.Irecv(&never, 1, MPI::INT, check::rank, 77);
  CHECK(!request.Get_status());
  request.Cancel();
  MPI::Status status;
  request.Wait(status);
  CHECK(status.Is_cancelled());
}

int freed = 0;

int query(void* state, MPI::Status& status) {
  status.Set_elements(MPI::BYTE, *static_cast<int*>(state));
  status.Set_cancelled(false);
  status.Set_source(MPI::UNDEFINED);
  status.Set_tag(9);
  return MPI::SUCCESS;
}
int release(void*) {
  ++freed;
  return MPI::SUCCESS;
}
int cancel(void*, bool complete) {
  CHECK(!complete);
  return MPI::SUCCESS;
}

void generalized() {
  check::set_case("generalized");
  int bytes = 12;
  MPI::Grequest request = MPI::Grequest::Start(query, release, cancel, &bytes);
  CHECK(!request.Test());
  request.Cancel();
  request.Complete();
  MPI::Status status;
  request.Wait(status);
  CHECK_EQ(status.Get_count(MPI::BYTE), 12);
  CHECK_EQ(status.Get_tag(), 9);
  CHECK_EQ(freed, 1);
}

void buffered() {
  check::set_case("buffered");
  const Ring ring;
  std::vector<char> room(1000 + MPI::BSEND_OVERHEAD);
  MPI::Attach_buffer(room.data(), static_cast<int>(room.size()));
  int got = -1;
  MPI::COMM_WORLD.Bsend(&check::rank, 1, MPI::INT, ring.right, kTag);
  MPI::COMM_WORLD.Recv(&got, 1, MPI::INT, ring.left, kTag);
  CHECK_EQ(got, ring.left);
  void* back = nullptr;
  CHECK_EQ(MPI::Detach_buffer(back), static_cast<int>(room.size()));
  CHECK(back == room.data());
}

}  // namespace

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  check::set_rank_and_size();
  blocking();
  probed();
  requests();
  persistent();
  cancelled();
  generalized();
  buffered();
  return check::finish();
}
