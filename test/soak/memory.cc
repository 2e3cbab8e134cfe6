#include "test/soak/memory.h"

#include <malloc.h>
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "test/check.h"

namespace soak {
namespace {

// A line of /proc/self/status, in KiB.
long status_line(const char* name) {
  long value = 0;
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  char format[64];
  std::snprintf(format, sizeof format, "%s: %%ld", name);
  while (std::fgets(line, sizeof line, file) != nullptr && value == 0) {
    std::sscanf(line, format, &value);
  }
  std::fclose(file);
  return value;
}

// The job's memory is a file without a name that mpiexec holds.
long pages_of_job() {
  const char* job = std::getenv("ATOLL_JOB");
  int descriptor = -1, launcher = -1;
  if (job == nullptr || std::sscanf(job, "%d:%d", &descriptor, &launcher) != 2) return -1;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, descriptor);
  struct stat file {};
  return ::stat(path, &file) == 0 ? long(file.st_blocks) / 2 : -1;
}

}  // namespace

void take_memory_from_one_place() { ::mallopt(M_ARENA_MAX, 1); }

Held held_now() {
  ::malloc_trim(0);  // what is free is no part of it
  return {status_line("RssAnon"), pages_of_job()};
}

void MemoryLog::note() {
  const Held here = held_now();
  long most[2] = {here.own, here.job}, all[2];
  MPI_Allreduce(most, all, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  held_.push_back({all[0], all[1]});
}

// The first quarter is the time in which rings and pools are made. After it both figures only
// vary with the rounds: what is unexpected, which ranks have met, which buffers are in use. The
// lowest figures of a quarter vary least, so those of the second and the last are compared. A
// loss of 100 bytes for each operation would be megabytes after the tens of thousands of
// operations of a run that is worth the question.
bool MemoryLog::report() const {
  constexpr long kLeast = 1024;  // KiB: pages that malloc cannot give back, rings made late
  constexpr std::size_t kFewest = 16;
  if (check::rank > 0) return true;
  if (held_.size() < kFewest) {
    std::printf("too few rounds to tell whether memory grows\n");
    return true;
  }
  const std::size_t quarter = held_.size() / 4;
  const auto lowest = [&](std::size_t from, long Held::*figure) {
    long low = held_[from].*figure;
    for (std::size_t i = from; i < from + quarter; ++i) low = std::min(low, held_[i].*figure);
    return low;
  };
  bool good = true;
  for (const auto& [name, figure] : {std::pair{"a rank", &Held::own}, {"the job", &Held::job}}) {
    const long middle = lowest(quarter, figure), end = lowest(held_.size() - quarter, figure);
    std::printf("memory of %s: %ld KiB in the middle, %ld KiB at the end\n", name, middle, end);
    good = good && end - middle <= kLeast + middle / 20;
  }
  return good;
}

}  // namespace soak
