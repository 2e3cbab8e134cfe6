// Buffered sends (3.6): the space that the standard promises is available, a message that needs
// more is an error that changes nothing, and a detached buffer belongs to the program.
#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kOverhead = MPI_BSEND_OVERHEAD;
constexpr int kGo = 9;

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// A buffer that is attached by its constructor, and detached and overwritten by its destructor.
class Attached {
 public:
  explicit Attached(int bytes) : memory_(bytes) {
    CHECK_EQ(MPI_Buffer_attach(memory_.data(), bytes), MPI_SUCCESS);
  }
  ~Attached() {
    void* address = nullptr;
    int size = -1;
    CHECK_EQ(MPI_Buffer_detach(&address, &size), MPI_SUCCESS);
    CHECK(address == memory_.data());
    CHECK_EQ(size, int(memory_.size()));
    std::memset(memory_.data(), 0x77, memory_.size());
  }

 private:
  std::vector<char> memory_;
};

int bsend(int bytes, int seed, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  std::vector<char> data(bytes);
  check::fill(data.data(), bytes, seed);
  const int code = MPI_Bsend(data.data(), bytes, MPI_BYTE, right(), tag, comm);
  std::ranges::fill(data, 0x66);  // the data may be overwritten at once
  return code;
}

void receive(int bytes, int seed, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  std::vector<char> data(bytes + 1);
  MPI_Status status;
  CHECK_EQ(MPI_Recv(data.data(), bytes + 1, MPI_BYTE, left(), tag, comm, &status), MPI_SUCCESS);
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, bytes);
  CHECK_PATTERN(data.data(), bytes, seed);
}

// No rank receives before all have sent: a buffered send never waits.
void exact_room(int bytes, int messages) {
  check::set_case("%d messages of %d bytes into exact room", messages, bytes);
  Attached attached(messages * (bytes + kOverhead));
  for (int i = 0; i < messages; ++i) CHECK_EQ(bsend(bytes, i, 1), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < messages; ++i) receive(bytes, i, 1);
}

// The same space is used repeatedly, with sizes that never fit the gaps left before.
void reuse() {
  check::set_case("reuse with changing sizes");
  check::Random random(7);  // the same numbers on every rank
  Attached attached(20000 + 4 * kOverhead);
  for (int round = 0; round < 200; ++round) {
    int room = 20000;
    std::vector<int> sizes;
    for (int i = 0; i < 4; ++i) {
      sizes.push_back(int(random.below(room / 2 + 1)));
      room -= sizes.back();
      CHECK_EQ(bsend(sizes.back(), round + i, 2), MPI_SUCCESS);
    }
    for (int i = 0; i < 4; ++i) receive(sizes[i], round + i, 2);
    MPI_Barrier(MPI_COMM_WORLD);  // all are delivered, so all the space is free again
  }
}

// The space that the model of 3.6.1 has: messages are stored in a circle, and the space of the
// oldest ones is free while younger ones still wait.
void circle() {
  check::set_case("room left by the oldest message");
  constexpr int kUnit = 200000;
  Attached attached(5 * kUnit + 3 * kOverhead);
  CHECK_EQ(bsend(2 * kUnit, 1, 1), MPI_SUCCESS);
  CHECK_EQ(bsend(2 * kUnit, 2, 2), MPI_SUCCESS);
  receive(2 * kUnit, 1, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(bsend(kUnit, 3, 3), MPI_SUCCESS);      // behind the second
  CHECK_EQ(bsend(2 * kUnit, 4, 4), MPI_SUCCESS);  // where the first was
  receive(2 * kUnit, 2, 2);
  receive(kUnit, 3, 3);
  receive(2 * kUnit, 4, 4);
}

// Not enough space: MPI_ERR_BUFFER, nothing is sent, and a message that fits is delivered.
void overflow() {
  check::set_case("overflow");
  Attached attached(1000 + kOverhead);
  for (int bytes : {1001 + kOverhead, 5000, 1 << 20}) {
    CHECK_EQ(check::error_class(bsend(bytes, 1, 3)), MPI_ERR_BUFFER);
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<char> data(bytes);
    CHECK_EQ(check::error_class(
                 MPI_Ibsend(data.data(), bytes, MPI_BYTE, right(), 3, MPI_COMM_WORLD, &request)),
             MPI_ERR_BUFFER);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Iprobe(left(), 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);  // all ranks have probed
  CHECK_EQ(bsend(1000, 5, 3), MPI_SUCCESS);
  receive(1000, 5, 3);
}

void nothing_attached() {
  check::set_case("no buffer attached");
  // A small message may be sent at once and need no buffer.
  CHECK_EQ(check::error_class(bsend(1 << 20, 1, 4)), MPI_ERR_BUFFER);
  char first[1000 + kOverhead], second[1000 + kOverhead];
  CHECK_EQ(MPI_Buffer_attach(first, sizeof first), MPI_SUCCESS);
  CHECK_EQ(check::error_class(MPI_Buffer_attach(second, sizeof second)), MPI_ERR_BUFFER);
  CHECK_EQ(bsend(8, 1, 4), MPI_SUCCESS);  // the first is still attached
  receive(8, 1, 4);
  void* address = nullptr;
  int size = -1;
  MPI_Buffer_detach(&address, &size);
  CHECK(address == first);
  CHECK_EQ(size, int(sizeof first));
}

// Detaching waits until the messages have left the buffer: the buffer is overwritten at once,
// while the partner has not received anything yet.
void detach_blocks(int bytes) {
  check::set_case("detach with %d bytes on the way", bytes);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  constexpr int kMessages = 5;
  for (int turn = 0; turn < 2; ++turn) {
    if ((check::rank & 1) == turn) {
      Attached attached(kMessages * (bytes + kOverhead));
      for (int i = 0; i < kMessages; ++i) {
        std::vector<char> data(bytes);
        check::fill(data.data(), bytes, i);
        CHECK_EQ(MPI_Bsend(data.data(), bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD), MPI_SUCCESS);
      }
      MPI_Send(nullptr, 0, MPI_BYTE, peer, kGo, MPI_COMM_WORLD);
      continue;
    }
    std::vector<char> data(bytes);
    MPI_Recv(nullptr, 0, MPI_BYTE, peer, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < kMessages; ++i) {
      CHECK_EQ(MPI_Recv(data.data(), bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
               MPI_SUCCESS);
      CHECK_PATTERN(data.data(), bytes, i);
    }
  }
}

// If both partners detached before either receives, it would be a deadlock; both may send before
// either receives.
void crossing() {
  check::set_case("everybody sends first");
  Attached attached(100000 + kOverhead);
  for (int round = 0; round < 20; ++round) {
    CHECK_EQ(bsend(100000, round, 6), MPI_SUCCESS);
    receive(100000, round, 6);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// A request of a buffered send completes without any receive.
void nonblocking_is_local() {
  check::set_case("MPI_Ibsend completes alone");
  Attached attached(300000 + kOverhead);
  std::vector<char> data(300000);
  check::fill(data.data(), data.size(), 1);
  MPI_Request request;
  MPI_Ibsend(data.data(), 300000, MPI_BYTE, right(), 7, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  std::memset(data.data(), 0, data.size());
  MPI_Barrier(MPI_COMM_WORLD);
  receive(300000, 1, 7);
}

#if MPI_LEVEL >= 41
// The library allocates the memory itself: no message is too many.
void automatic() {
  check::set_case("MPI_BUFFER_AUTOMATIC");
  MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
  for (int i = 0; i < 50; ++i) CHECK_EQ(bsend(i * 3000, i, 1), MPI_SUCCESS);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 50; ++i) receive(i * 3000, i, 1);
  MPI_Buffer_flush();
  void* address = nullptr;
  int size = -1;
  MPI_Buffer_detach(&address, &size);
  CHECK(address == MPI_BUFFER_AUTOMATIC);
  CHECK_EQ(size, 0);
}

// After a flush all the space is free again, though the receivers may still be late.
void flush(bool nonblocking, int bytes) {
  check::set_case("%s, %d bytes", nonblocking ? "MPI_Buffer_iflush" : "MPI_Buffer_flush", bytes);
  Attached attached(bytes + kOverhead);
  for (int round = 0; round < 5; ++round) {
    CHECK_EQ(bsend(bytes, round, 2), MPI_SUCCESS);
    std::vector<char> in(bytes);
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Irecv(in.data(), bytes, MPI_BYTE, left(), 2, MPI_COMM_WORLD, &requests[0]);
    if (nonblocking) {
      MPI_Buffer_iflush(&requests[1]);
    } else {
      MPI_Buffer_flush();
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_PATTERN(in.data(), bytes, round);
  }
}

// A communicator's own buffer is used instead of the one for all.
void buffer_of_communicator() {
  check::set_case("a buffer for one communicator");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<char> own(1000 + kOverhead);
  CHECK_EQ(MPI_Comm_attach_buffer(comm, own.data(), int(own.size())), MPI_SUCCESS);
  CHECK_EQ(check::error_class(bsend(1 << 20, 1, 3)), MPI_ERR_BUFFER);  // none for others
  {
    Attached attached((1 << 20) + kOverhead);
    CHECK_EQ(check::error_class(bsend(1 << 20, 1, 3, comm)), MPI_ERR_BUFFER);  // its own is small
    CHECK_EQ(bsend(1000, 2, 3, comm), MPI_SUCCESS);
    CHECK_EQ(bsend(100000, 3, 3), MPI_SUCCESS);
    receive(100000, 3, 3);
    receive(1000, 2, 3, comm);
    MPI_Comm_flush_buffer(comm);
    MPI_Request request;
    MPI_Comm_iflush_buffer(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  void* address = nullptr;
  int size = -1;
  CHECK_EQ(MPI_Comm_detach_buffer(comm, &address, &size), MPI_SUCCESS);
  CHECK(address == own.data());
  CHECK_EQ(size, int(own.size()));
  MPI_Comm_free(&comm);
}

// Its last message is sent long after the program has freed the communicator.
void freed_communicator(int bytes) {
  check::set_case("a communicator freed with %d bytes in its buffer", bytes);
  const int peer = check::rank ^ 1;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<char> own(bytes + kOverhead), data(bytes);
  if (check::rank % 2 == 0 && peer < check::size) {
    CHECK_EQ(MPI_Comm_attach_buffer(comm, own.data(), int(own.size())), MPI_SUCCESS);
    check::fill(data.data(), bytes, 4);
    CHECK_EQ(MPI_Bsend(data.data(), bytes, MPI_BYTE, peer, 3, comm), MPI_SUCCESS);
    MPI_Request flushes[2];
    for (MPI_Request& flush : flushes) MPI_Comm_iflush_buffer(comm, &flush);
    MPI_Comm_free(&comm);
    MPI_Send(nullptr, 0, MPI_BYTE, peer, kGo, MPI_COMM_WORLD);
    MPI_Waitall(2, flushes, MPI_STATUSES_IGNORE);
    check::passed();
    return;
  }
  if (check::rank % 2 != 0) {
    MPI_Recv(nullptr, 0, MPI_BYTE, peer, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, 3, comm, MPI_STATUS_IGNORE);
    CHECK_PATTERN(data.data(), bytes, 4);
  }
  MPI_Comm_free(&comm);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  for (int bytes : {0, 1, 8, 64, 1000, 70000, 300000}) {
    exact_room(bytes, 1);
    exact_room(bytes, 10);
    detach_blocks(bytes);
  }
  reuse();
  circle();
  overflow();
  nothing_attached();
  crossing();
  nonblocking_is_local();
#if MPI_LEVEL >= 41
  automatic();
  for (int bytes : {0, 64, 5000, 300000}) {
    flush(false, bytes);
    flush(true, bytes);
  }
  buffer_of_communicator();
  for (int bytes : {8, 2000000}) freed_communicator(bytes);
#endif
  return check::finish();
}
