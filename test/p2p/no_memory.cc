// An unexpected message arrives for which there is no memory: an error of the call that has
// nothing else to do. No message is lost, and the failed call leaves nothing behind.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kBytes = 64 << 20;
constexpr int kBig = 1;
constexpr int kSmall = 2;
constexpr int kBack = 3;

// Limits this process to little more memory during its lifetime.
class Short {
 public:
  Short() {
    long pages = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    CHECK(std::fscanf(file, "%ld", &pages) == 1);
    std::fclose(file);
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (8 << 20));
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  }
  ~Short() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_;
};

void send(std::vector<char>& data) {
  int value = 7;
  MPI_Request requests[2];
  MPI_Isend(data.data(), kBytes, MPI_BYTE, 1, kBig, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&value, 1, MPI_INT, 1, kSmall, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int receive(int& value) {
  return MPI_Recv(&value, 1, MPI_INT, 0, kSmall, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// `wait` waits for the short message, which is behind the long one, and returns the error.
// `receive` receives it at the end.
template <class Wait, class Receive>
void exchange(const char* name, Wait wait, Receive receive) {
  check::set_case("%s", name);
  std::vector<char> data(kBytes);
  if (check::rank == 0) {
    check::fill(data.data(), kBytes, 3);
    send(data);
    MPI_Recv(nullptr, 0, MPI_INT, 1, kBack, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return check::passed();
  }
  int value = 0;
  {
    const Short memory;
    const int code = wait(value);
    CHECK_EQ(check::error_class(code), MPI_ERR_NO_MEM);
    CHECK_EQ(value, 0);
  }
  MPI_Recv(data.data(), kBytes, MPI_BYTE, 0, kBig, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_PATTERN(data.data(), kBytes, 3);
  CHECK_EQ(receive(value), MPI_SUCCESS);
  CHECK_EQ(value, 7);
  MPI_Send(nullptr, 0, MPI_INT, 0, kBack, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  if (!check::on_atoll() || check::size != 2) {
    check::passed();
    return check::finish();
  }
  exchange("MPI_Recv", receive, receive);
  const auto probe = [](int&) { return MPI_Probe(0, kSmall, MPI_COMM_WORLD, MPI_STATUS_IGNORE); };
  exchange("MPI_Probe", probe, receive);
  const auto ssend = [](int& value) {
    return MPI_Ssend(&value, 1, MPI_INT, 0, 99, MPI_COMM_WORLD);
  };
  exchange("MPI_Ssend", ssend, receive);
  const auto sendrecv = [](int& value) {
    return MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, 0, kSmall,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  exchange("MPI_Sendrecv", sendrecv, receive);
  MPI_Request request;  // another call can wait for it again
  const auto begin_and_wait = [&](int& value) {
    MPI_Irecv(&value, 1, MPI_INT, 0, kSmall, MPI_COMM_WORLD, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  const auto wait = [&](int&) { return MPI_Wait(&request, MPI_STATUS_IGNORE); };
  exchange("MPI_Wait", begin_and_wait, wait);
  return check::finish();
}
