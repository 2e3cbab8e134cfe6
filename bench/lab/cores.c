/* Times of small messages between all pairs of cores:
 *
 *   mpiexec -n CPUS cores cpus=0,1,2,... seconds=S
 *
 * One rank on each cpu. The pairs take turns; who has no turn sleeps outside MPI, since
 * most MPIs would spin. Rank 0 calls the pairs up and prints a record for each. `seconds`
 * is for all pairs.
 */
#include <time.h>

#include "bench/lab/measure.h"

enum { kBytes = 8, kGo = 1, kDone = 2, kPing = 3, kComm = 4 };

static void ping_pong(const Subject* s, long rounds) {
  char buffer[kBytes] = {0};
  const int other = 1 - s->rank;
  for (long i = 0; i < rounds; ++i) {
    if (s->rank == 0) MPI_Send(buffer, kBytes, MPI_BYTE, other, kPing, s->comm);
    MPI_Recv(buffer, kBytes, MPI_BYTE, other, kPing, s->comm, MPI_STATUS_IGNORE);
    if (s->rank == 1) MPI_Send(buffer, kBytes, MPI_BYTE, other, kPing, s->comm);
  }
}

/* Returns when a message with this tag is there. */
static void sleep_until(int source, int tag) {
  const struct timespec moment = {0, 500000};
  for (;;) {
    int there = 0;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there) return;
    nanosleep(&moment, NULL);
  }
}

static void measure_pair(int a, int b, double seconds, Samples* samples) {
  MPI_Group world, both;
  const int ranks[] = {a, b};
  Subject s = {.run = ping_pong, .share = 0.5};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, ranks, &both);
  MPI_Comm_create_group(MPI_COMM_WORLD, both, kComm, &s.comm);
  MPI_Comm_rank(s.comm, &s.rank);
  measure(&s, effort(seconds, 0), samples);
  MPI_Comm_free(&s.comm);
  MPI_Group_free(&both);
  MPI_Group_free(&world);
}

static void call_up(int rank) {
  if (rank != 0) MPI_Send(NULL, 0, MPI_BYTE, rank, kGo, MPI_COMM_WORLD);
}

static void print_pair(const char* cpus, int a, int b, const Samples* samples) {
  char fields[128];
  snprintf(fields, sizeof fields,
           "\"figure\": \"core_to_core\", \"bytes\": %d, \"cpus\": [%ld, %ld]", kBytes,
           item(cpus, a), item(cpus, b));
  print_record(fields, "us", samples);
}

/* Rank 0: has the pair measured, by itself if it is one of the two. */
static void lead(int a, int b, double seconds, const char* cpus) {
  static Samples samples;
  call_up(a);
  call_up(b);
  if (a == 0) {
    measure_pair(a, b, seconds, &samples);
  } else {
    sleep_until(a, kDone);
    MPI_Recv(&samples, sizeof samples, MPI_BYTE, a, kDone, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  print_pair(cpus, a, b, &samples);
}

static void take_part(int rank, int a, int b, double seconds) {
  static Samples samples;
  sleep_until(0, kGo);
  MPI_Recv(NULL, 0, MPI_BYTE, 0, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  measure_pair(a, b, seconds, &samples);
  if (rank == a) MPI_Send(&samples, sizeof samples, MPI_BYTE, 0, kDone, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double all = strtod(option(argc, argv, "seconds", "1"), NULL);
  const double seconds = size > 1 ? all / (size * (size - 1) / 2.0) : 0;
  for (int a = 0; a < size; ++a) {
    for (int b = a + 1; b < size; ++b) {
      if (rank == 0) {
        lead(a, b, seconds, option(argc, argv, "cpus", ""));
      } else if (rank == a || rank == b) {
        take_part(rank, a, b, seconds);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
