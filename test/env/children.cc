// Programs that start others in the middle of their messages: a child of a
// rank is no rank, and how it ends is none of MPI's business.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
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

// What exit handlers do.
void finalize_if_needed() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Finalize();
}

// A child of a rank is no rank: what it calls leaves the rank and the job alone.
void children_that_call_mpi() {
  const std::function<void()> bodies[] = {
      [] { MPI_Finalize(); }, finalize_if_needed, [] { MPI_Abort(MPI_COMM_WORLD, 0); },
      [] {
        int size = 0;
        MPI_Session session;
        if (MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS) std::_Exit(1);
        if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS) {
          std::_Exit(2);
        }
      }};
  for (const auto& body : bodies) {
    if (const pid_t child = fork(); child > 0) {
      CHECK_EQ(wait_for(child), 0);
    } else {
      body();
      std::exit(0);
    }
  }
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
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // for its children
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
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
    children_that_call_mpi();
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_PATTERN(in.data(), kBytes, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return check::finish();
}
