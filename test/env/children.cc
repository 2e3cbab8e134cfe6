// Programs that start others in the middle of their messages: a child of a
// rank is no rank, and how it ends is none of MPI's business.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kBytes = 300000;

int wait_for(pid_t child) {
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  return status;
}

void shell() {
  CHECK_EQ(std::system("exit 0"), 0);
  FILE* pipe = popen("echo from the child", "r");
  char line[100] = "";
  CHECK(std::fgets(line, sizeof line, pipe) != nullptr);
  CHECK_EQ(std::string(line), "from the child\n");
  CHECK_EQ(pclose(pipe), 0);
}

// The child runs exit handlers and destructors, or dies.
void forks() {
  if (const pid_t child = fork(); child > 0) {
    CHECK_EQ(wait_for(child), 0);
  } else {
    std::exit(0);
  }
  if (const pid_t child = fork(); child > 0) {
    CHECK(WIFSIGNALED(wait_for(child)));
  } else {
    std::abort();
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  for (int round = 0; round < 3; ++round) {
    std::vector<char> out(kBytes), in(kBytes);
    check::fill(out.data(), kBytes, round);
    MPI_Request requests[2];
    MPI_Irecv(in.data(), kBytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &requests[0]);
    shell();
    MPI_Isend(out.data(), kBytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, &requests[1]);
    forks();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_PATTERN(in.data(), kBytes, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return check::finish();
}
