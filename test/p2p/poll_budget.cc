// An MPI call does not copy without bound: one poll copies a limited number of bytes, however
// many messages have arrived and however many receives wait for them. The other ranks are stopped
// while rank 0 calls for other messages, so that only its own calls copy.
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kLong = 8, kShort = 8;  // messages of each rank
constexpr std::size_t kLongBytes = 1 << 20, kShortBytes = 32 << 10;
constexpr std::size_t kOfSender = kLong * kLongBytes + kShort * kShortBytes;
// More than the budgets of the rings and of the long messages with their last fragments, and far
// less than one fragment of each message.
constexpr std::size_t kMost = 2 << 20;
constexpr int kLastTag = 100;

// Calls begin(buffer, bytes, tag) for each message of a rank.
template <class Begin>
void for_each_message(char* memory, Begin begin) {
  for (int i = 0; i < kShort; ++i) begin(memory + i * kShortBytes, int(kShortBytes), i);
  memory += kShort * kShortBytes;
  for (int i = 0; i < kLong; ++i) begin(memory + i * kLongBytes, int(kLongBytes), kShort + i);
}

void send_and_stop() {
  std::vector<char> memory(kOfSender, char(check::rank));
  std::vector<MPI_Request> sends;
  for_each_message(memory.data(), [&](char* from, int bytes, int tag) {
    MPI_Isend(from, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &sends.emplace_back());
  });
  const long about[] = {long(::getpid()), long(reinterpret_cast<std::uintptr_t>(memory.data()))};
  MPI_Send(about, 2, MPI_LONG, 0, kLastTag, MPI_COMM_WORLD);
  ::raise(SIGSTOP);
  CHECK_EQ(MPI_Waitall(int(sends.size()), sends.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
}

void await_stop(int pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  for (char state = 0; state != 'T';) {
    std::FILE* file = std::fopen(path.c_str(), "r");
    CHECK(file != nullptr);
    CHECK_EQ(std::fscanf(file, "%*d %*s %c", &state), 1);
    std::fclose(file);
    ::usleep(1000);
  }
}

bool can_copy_from(int pid, long address) {
  char byte = 0;
  const iovec here{&byte, 1}, there{reinterpret_cast<void*>(address), 1};
  return ::process_vm_readv(pid, &here, 1, &there, 1, 0) == 1;
}

void receive_bit_by_bit() {
  const int senders = check::size - 1;
  std::vector<char> memory(kOfSender * std::size_t(senders), 0);
  std::vector<MPI_Request> receives;
  for (int sender = 1; sender <= senders; ++sender) {
    for_each_message(
        &memory[kOfSender * std::size_t(sender - 1)], [&](char* to, int bytes, int tag) {
          MPI_Irecv(to, bytes, MPI_BYTE, sender, tag, MPI_COMM_WORLD, &receives.emplace_back());
        });
  }
  std::vector<int> pids;
  bool copies = true;
  for (int sender = 1; sender <= senders; ++sender) {
    long about[2];
    MPI_Recv(about, 2, MPI_LONG, sender, kLastTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pids.push_back(int(about[0]));
    await_stop(pids.back());
    copies = copies && can_copy_from(pids.back(), about[1]);
  }
  MPI_Request other;
  int unused = 0;
  MPI_Irecv(&unused, 1, MPI_INT, 0, kLastTag, MPI_COMM_WORLD, &other);
  const auto missing = [&] { return std::size_t(std::count(memory.begin(), memory.end(), 0)); };
  std::size_t before = 0, now = missing();  // the calls above have received some
  // A few consecutive calls may find nothing: a poll visits only some rings and receives.
  for (int idle = 0; idle < 100 && now != 0; idle = now < before ? 0 : idle + 1) {
    before = now;
    int flag = -1;
    MPI_Test(&other, &flag, MPI_STATUS_IGNORE);
    now = missing();
    if (check::on_atoll()) CHECK(before <= now + kMost);
  }
  if (check::on_atoll() && copies) CHECK_EQ(now, 0u);
  for (const int pid : pids) ::kill(pid, SIGCONT);
  MPI_Waitall(int(receives.size()), receives.data(), MPI_STATUSES_IGNORE);
  for (int sender = 1; sender <= senders; ++sender) {
    const auto from = memory.begin() + std::ptrdiff_t(kOfSender) * (sender - 1);
    CHECK(std::all_of(from, from + kOfSender, [=](char byte) { return byte == char(sender); }));
  }
  MPI_Cancel(&other);
  MPI_Wait(&other, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  if (check::rank == 0) {
    receive_bit_by_bit();
  } else {
    send_and_stop();
  }
  return check::finish();
}
