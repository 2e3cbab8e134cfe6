#include "launcher/diagnose/rank_end.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <cstring>

namespace atl::launcher {
namespace {

RankEnd returned(int value, shm::Life life = shm::Life::launched) {
  RankEnd end;
  end.rank = 3;
  end.program = "./a.out";
  end.pid = 71;
  end.cpu = 5;
  end.value = value;
  end.state.life = life;
  return end;
}

RankEnd killed(int signal, shm::Life life = shm::Life::launched) {
  RankEnd end = returned(signal, life);
  end.killed = true;
  return end;
}

RankEnd aborted(int code) {
  RankEnd end = returned(code & 0xff, shm::Life::aborted);
  end.abort_code = code;
  return end;
}

TEST_CASE("the message about a crash has its location") {
  RankEnd end = killed(SIGSEGV, shm::Life::initialized);
  end.state.crash = "at address 0x10, in main (./a.out+0x1234)";
  CHECK(describe(end) ==
        "rank 3 (./a.out, pid 71, cpu 5) was killed by signal 11, SIGSEGV (Segmentation fault), "
        "at address 0x10, in main (./a.out+0x1234)");
}

TEST_CASE("a rank that has ended with unknown status") {
  RankEnd end = returned(0, shm::Life::initialized);
  end.known = false;
  CHECK(describe(end) == "rank 3 (./a.out, pid 71, cpu 5) has ended without calling MPI_Finalize");
  CHECK(how(end) == "has ended without calling MPI_Finalize");
  CHECK(exit_status(end) == 1);
  CHECK(ends_job(end));
}

TEST_CASE("failures, and the exit status of the job") {
  struct Row {
    RankEnd end;
    bool fails;
    bool ends_job;
    int status;
  };
  const Row rows[] = {
      {returned(0), false, false, 0},
      {returned(0, shm::Life::finalized), false, false, 0},
      {returned(0, shm::Life::sessions), false, false, 0},
      {returned(7), true, true, 7},
      {returned(7, shm::Life::finalized), true, false, 7},
      {returned(7, shm::Life::initialized), true, true, 7},
      {returned(0, shm::Life::initialized), true, true, 1},
      {killed(SIGKILL), true, true, 137},
      {killed(SIGSEGV, shm::Life::finalized), true, true, 139},
      {aborted(5), true, true, 5},
      {aborted(0), true, true, 0},
      {aborted(256), true, true, 1},
      {aborted(-1), true, true, 255},
  };
  for (const Row& row : rows) {
    CAPTURE(describe(row.end));
    CHECK(failed(row.end) == row.fails);
    CHECK(ends_job(row.end) == row.ends_job);
    CHECK(exit_status(row.end) == row.status);
  }
}

TEST_CASE("the end of a rank in words") {
  CHECK(describe(returned(7)) == "rank 3 (./a.out, pid 71, cpu 5) returned 7");
  CHECK(describe(returned(0, shm::Life::initialized)) ==
        "rank 3 (./a.out, pid 71, cpu 5) returned 0 without calling MPI_Finalize");
  CHECK(describe(aborted(5)) == "rank 3 (./a.out, pid 71, cpu 5) called MPI_Abort with code 5");
  CHECK(describe(killed(SIGKILL)) ==
        "rank 3 (./a.out, pid 71, cpu 5) was killed by signal 9, SIGKILL (Killed)");
}

TEST_CASE("the message about a signal has the rank's location") {
  CHECK(describe(killed(SIGFPE, shm::Life::initialized)) ==
        "rank 3 (./a.out, pid 71, cpu 5) was killed by signal 8, SIGFPE (Floating point "
        "exception), not waiting in MPI");
  RankEnd end = killed(SIGSEGV, shm::Life::initialized);
  end.core_dumped = true;
  end.cpu = -1;
  shm::WaitInfo waiting;
  waiting.kind = shm::WaitKind::receive;
  std::strcpy(waiting.call, "MPI_Recv");
  waiting.peer = waiting.peer_world = 1;
  waiting.tag = 7;
  end.state.waiting = waiting;
  CHECK(describe(end) ==
        "rank 3 (./a.out, pid 71) was killed by signal 11, SIGSEGV (Segmentation fault), waiting "
        "in MPI_Recv from 1, tag 7, 0 bytes, core dumped");
}

TEST_CASE("a signal without a name has its number") {
  CHECK(describe(killed(SIGRTMIN + 3)).find("was killed by signal 37") != std::string::npos);
}

}  // namespace
}  // namespace atl::launcher
