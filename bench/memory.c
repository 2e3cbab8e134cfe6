/* Resident shared memory of a job in which each rank talks to four others.
 *
 * Every rank fills the ways to its two neighbours on either side with small and
 * middle-sized messages, so that whatever room they have was touched. Rank 0
 * then prints how much memory the job's segment takes: every page counts once,
 * however many ranks map it. Atoll's segment is a memfd that a rank keeps open;
 * nothing is printed for an MPI that does it differently.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "bench/lab/measure.h"

enum { kLargest = 1 << 20, kMaxDescriptors = 1024 };

static void exchange(int size, int rank, int distance, int bytes, int times) {
  static char out[kLargest], in[kLargest];
  const int right = (rank + distance) % size;
  const int left = (rank - distance + size) % size;
  for (int i = 0; i < times; ++i) {
    MPI_Sendrecv(out, bytes, MPI_BYTE, right, 0, in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, bytes, MPI_BYTE, left, 1, in, bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

/* Bytes of memory behind the memfds this process has open. */
static double memfd_bytes(void) {
  double sum = 0;
  for (int descriptor = 0; descriptor < kMaxDescriptors; ++descriptor) {
    char path[64], target[64] = "";
    struct stat facts;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (readlink(path, target, sizeof target - 1) > 0 && strncmp(target, "/memfd:", 7) == 0 &&
        fstat(descriptor, &facts) == 0) {
      sum += (double)facts.st_blocks * 512; /* st_blocks counts these, whatever the page size */
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int distance = 1; distance <= 2; ++distance) {
    exchange(size, rank, distance, 8, 300);
    exchange(size, rank, distance, 8 << 10, 30);
    exchange(size, rank, distance, kLargest, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double mib = memfd_bytes() / (1 << 20);
  const Samples samples = {{mib}, 1};
  char name[32];
  snprintf(name, sizeof name, "memory_%d", size);
  if (rank == 0 && mib > 0) print_named(name, "MiB", &samples);
  MPI_Finalize();
  return 0;
}
