// Ranks that call collectives which do not match: all of them get an error, in that call
// or in the next one on the communicator, which says who calls what; and nobody hangs.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "test/check.h"

namespace mismatch {

struct Case {
  const char* name;
  std::function<int(MPI_Comm)> first;   // what rank 0 calls
  std::function<int(MPI_Comm)> others;  // what the others call
  int error_class;                      // of all
  const char* said;                     // in the text of all
};

// Completes what MPI_I... or MPI_Start has begun, by waiting.
inline int wait(int code, MPI_Request* request) {
  return code != MPI_SUCCESS ? code : MPI_Wait(request, MPI_STATUS_IGNORE);
}
// Without ever sleeping in MPI.
inline int test(int code, MPI_Request* request) {
  int done = 0;
  while (code == MPI_SUCCESS && !done) code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
  return code;
}

inline void check_error(const Case& one, int code) {
  CHECK_EQ(check::error_class(code), one.error_class);
  const std::string text = check::error_text(code);
  if (text.find(one.said) == std::string::npos) CHECK_EQ(text, std::string(one.said));
}

// On a communicator of its own, which nothing else goes on.
inline void run(const Case& one, MPI_Comm parent, int late) {
  check::set_case("%s, rank %d is late", one.name, late);
  MPI_Comm comm;
  MPI_Comm_dup(parent, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  // Also when those who wait have gone to sleep.
  if (check::rank == late) usleep(20000);
  int code = (check::rank == 0 ? one.first : one.others)(comm);
  const int saw = code != MPI_SUCCESS;
  if (saw == 0) code = MPI_Barrier(comm);
  check_error(one, code);
  // Once seen it stays so.
  check_error(one, MPI_Barrier(comm));
  MPI_Comm_free(&comm);
}

// The next communicator is not touched by what went wrong on this one.
inline void check_next(MPI_Comm parent) {
  MPI_Comm comm;
  MPI_Comm_dup(parent, &comm);
  int sum = 0;
  int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  int inter = 0;
  int peers = 0;
  MPI_Comm_test_inter(comm, &inter);
  (inter != 0 ? MPI_Comm_remote_size : MPI_Comm_size)(comm, &peers);
  CHECK_EQ(sum, peers);
  MPI_Comm_free(&comm);
}

inline void run_all(std::span<const Case> cases, MPI_Comm parent) {
  for (const Case& one : cases) {
    for (int late = 0; late < std::min(check::size, 3); ++late) {
      run(one, parent, late);
      check_next(parent);
    }
  }
}

}  // namespace mismatch
