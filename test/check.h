// What every multi-rank test program uses: checks that name file, line, rank
// and case, and the frame of a program. A program prints "ok N checks" from
// rank 0 after MPI_Finalize, N summed over the ranks, and nothing else on
// standard error. The first failed check ends the job.
//
// The programs use the plain C API and run on any MPI, so that the tests can
// be checked themselves; what only Atoll promises stands behind on_atoll().
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

// The MPI version the header declares, as 41 for 4.1.
#define MPI_LEVEL (MPI_VERSION * 10 + MPI_SUBVERSION)

#define CHECK(condition) \
  ((condition) ? check::passed() : check::fail(__FILE__, __LINE__, "CHECK(" #condition ")"))

#define CHECK_EQ(left, right) check::equal(__FILE__, __LINE__, #left " == " #right, left, right)

namespace check {

inline int rank = -1;  // in MPI_COMM_WORLD
inline int size = 0;
inline std::atomic<long long> checks{0};          // passed in this process
inline thread_local char current_case[256] = "";  // part of each failure's message

// Names what the following checks are about, as printf does.
[[gnu::format(printf, 1, 2)]] inline void set_case(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(current_case, sizeof current_case, format, arguments);
  va_end(arguments);
}

inline void passed() { checks.fetch_add(1, std::memory_order_relaxed); }

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
  std::fprintf(stderr, "rank %d of %d: %s:%d: failed: %s [%s]\n", rank, size, file, line,
               what.c_str(), current_case);
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

template <class Left, class Right>
void equal(const char* file, int line, const char* text, const Left& left, const Right& right) {
  if (left == right) return passed();
  std::ostringstream values;
  values << text << ": " << left << " and " << right;
  fail(file, line, values.str());
}

// Whether the library that runs the program is Atoll, by its version string.
inline bool on_atoll() {
  static const bool answer = [] {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    return std::strncmp(version, "Atoll", 5) == 0;
  }();
  return answer;
}

// The class of an error code; MPI_SUCCESS for success.
inline int error_class(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

inline void set_rank_and_size() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

inline void start(int& argc, char**& argv) {
  MPI_Init(&argc, &argv);
  set_rank_and_size();
}

// For programs that provoke errors: calls return them, whatever object they belong to.
inline void return_errors() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

// The text of an error code.
inline std::string error_text(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return std::string(text, length);
}

// The sum of the checks of all ranks of `comm`, at rank 0.
inline long long total(MPI_Comm comm) {
  constexpr int kTag = 32001;
  CHECK(checks > 0);
  int own = -1, count = 0;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &count);
  MPI_Barrier(comm);  // the totals must not meet a wildcard of a slower rank
  long long sum = checks;
  if (own > 0) MPI_Send(&sum, 1, MPI_LONG_LONG, 0, kTag, comm);
  for (int source = 1; own == 0 && source < count; ++source) {
    long long part = 0;
    MPI_Recv(&part, 1, MPI_LONG_LONG, source, kTag, comm, MPI_STATUS_IGNORE);
    sum += part;
  }
  return sum;
}

// The status of main(). Each rank must have passed a check.
inline int finish() {
  const long long sum = total(MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) std::printf("ok %lld checks\n", sum);
  return 0;
}

// main() of a program about what an older MPI does not have.
inline int nothing_to_test(int argc, char** argv) {
  start(argc, argv);
  passed();
  return finish();
}

}  // namespace check
