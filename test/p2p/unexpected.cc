// Messages that arrive long before their receives: the memory that a receiver uses for them is
// bounded, whatever their number and length, and all are received in the end, in order.
#include <malloc.h>

#include <cstdlib>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kData = 1;
constexpr int kNever = 2;
constexpr int kEnd = 3;

// Bytes that this process has allocated.
std::size_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// What a receiver may allocate: ATOLL_UNEXPECTED_BYTES, the contents of a ring that were sent
// before the sender learned of the limit, and some memory for each message whose data stays at
// the sender.
std::size_t most(int messages) {
  const char* mark = std::getenv("ATOLL_UNEXPECTED_BYTES");
  const std::size_t bytes = mark == nullptr ? std::size_t{256} << 20 : std::atoll(mark);
  return bytes + (std::size_t{5} << 20) + std::size_t(messages) * 512;
}

// Each odd rank's partner sends to it. The rank processes all these messages, since the last
// message is behind them.
void outstanding(int bytes, int count) {
  check::set_case("%d messages of %d bytes, none received at first", count, bytes);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return check::passed();
  if (check::rank % 2 == 0) {
    std::vector<char> data(bytes);
    check::fill(data.data(), bytes, count);
    std::vector<MPI_Request> requests(count);
    for (auto& request : requests) {
      MPI_Isend(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &request);
    }
    MPI_Send(nullptr, 0, MPI_BYTE, peer, kEnd, MPI_COMM_WORLD);
    MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
    return;
  }
  const std::size_t before = in_use();
  MPI_Recv(nullptr, 0, MPI_BYTE, peer, kEnd, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const std::size_t kept = in_use() - before;
  if (check::on_atoll() && kept > most(count)) CHECK_EQ(kept, most(count));
  std::vector<char> data(bytes);
  for (int i = 0; i < count; ++i) {
    std::memset(data.data(), 0, data.size());
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(data.data(), bytes, count);
  }
}

// One rank sends continuously while the other only waits for another message.
void blocking(int bytes, int count) {
  check::set_case("%d blocking sends of %d bytes", count, bytes);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return check::passed();
  std::vector<char> data(bytes);
  if (check::rank % 2 == 0) {
    check::fill(data.data(), bytes, count);
    for (int i = 0; i < count; ++i) {
      MPI_Send(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD);
    }
    return;
  }
  const std::size_t before = in_use();
  for (int i = 0; i < count; ++i) {
    int flag = 0;
    MPI_Iprobe(peer, kNever, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
  }
  const std::size_t kept = in_use() - before;
  if (check::on_atoll() && kept > most(1)) CHECK_EQ(kept, most(1));
  for (int i = 0; i < count; ++i) {
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(data.data(), bytes, count);
  }
}

// A buffered send returns nevertheless.
void buffered(int bytes, int count) {
  check::set_case("%d buffered sends of %d bytes", count, bytes);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return check::passed();
  std::vector<char> data(bytes), memory((bytes + MPI_BSEND_OVERHEAD) * count);
  MPI_Buffer_attach(memory.data(), static_cast<int>(memory.size()));
  check::fill(data.data(), bytes, 5);
  for (int i = 0; i < count; ++i) {
    MPI_Bsend(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD);
  }
  for (int i = 0; i < count; ++i) {
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(data.data(), bytes, 5);
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
}

// Messages that are cancelled and never received are discarded.
void withdrawn(int count) {
  if (!check::on_atoll()) return;
  check::set_case("%d synchronous sends that are cancelled", count);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return check::passed();
  const std::size_t before = in_use();
  for (int i = 0; i < count; ++i) {
    MPI_Request request;
    MPI_Issend(&i, 1, MPI_INT, peer, kNever, MPI_COMM_WORLD, &request);
    MPI_Sendrecv(nullptr, 0, MPI_INT, peer, kData, nullptr, 0, MPI_INT, peer, kData, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Cancel(&request);
    MPI_Status status;
    MPI_Wait(&request, &status);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    CHECK_EQ(flag, 1);
  }
  const std::size_t kept = in_use() - before;
  constexpr std::size_t kMost = 200000;
  if (kept > kMost) CHECK_EQ(kept, kMost);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  outstanding(4096, 6000);
  outstanding(100, 20000);
  outstanding(70000, 400);
  blocking(8, 60000);
  blocking(3000, 5000);
  buffered(8, 20000);
  buffered(5000, 1000);
  withdrawn(5000);
  MPI_Barrier(MPI_COMM_WORLD);
  return check::finish();
}
