/* The figures that compare.py compares: one source for every MPI.
 *
 *   figures pair      2 ranks: times of messages
 *   figures crowd     any number: 8 bytes between ranks 0 and 1, all others blocked in MPI_Recv
 *   figures communicators   any number: making and freeing communicators of all ranks
 *   figures blocked   any number: processor time of all but rank 0, blocked for a second
 *   figures empty     MPI_Init and MPI_Finalize, nothing else
 *
 * Rank 0 prints a record for each figure.
 */
#include <sys/resource.h>
#include <time.h>

#include "bench/lab/measure.h"

enum { kWindow = 64, kSmall = 8, kStop = 1, kTag = 7 };

/* What is repeated: one round of rank 0 and its answer by rank 1. Both use one
 * buffer for what comes in and what goes out, as malloc gave it. The first byte
 * tells rank 1 whether this was the last round. */
typedef struct Exchange Exchange;
struct Exchange {
  void (*round)(const Exchange*, int rank);
  char* buffer;
  int bytes;
  int wildcard;  /* receive with MPI_ANY_SOURCE and MPI_ANY_TAG */
  double share;  /* of a round's time that the figure is */
  double batch;  /* seconds: of a batch, and about those of all batches; a batch is */
  double figure; /* long against the clock's step, or against the scheduler's */
};

static void send_to(int rank, const Exchange* e) {
  MPI_Send(e->buffer, e->bytes, MPI_BYTE, rank, kTag, MPI_COMM_WORLD);
}

static void receive_from(int rank, const Exchange* e) {
  const int source = e->wildcard ? MPI_ANY_SOURCE : rank;
  const int tag = e->wildcard ? MPI_ANY_TAG : kTag;
  MPI_Recv(e->buffer, e->bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ping_pong(const Exchange* e, int rank) {
  if (rank == 0) {
    send_to(1, e);
    receive_from(1, e);
  } else {
    receive_from(0, e);
    send_to(0, e);
  }
}

/* kWindow messages one way, all in flight at once, and one back. */
static void window(const Exchange* e, int rank) {
  MPI_Request requests[kWindow];
  for (int i = 0; i < kWindow; ++i) {
    char* place = e->buffer + (size_t)i * e->bytes;
    if (rank == 0) {
      MPI_Isend(place, e->bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &requests[i]);
    } else {
      MPI_Irecv(place, e->bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &requests[i]);
    }
  }
  MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
  char ack = 0;
  if (rank == 0) {
    MPI_Recv(&ack, 1, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&ack, 1, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
  }
}

/* Seconds a round took in one batch. */
static double batch(const Exchange* e) {
  const int rounds_a_look = e->bytes < 65536 ? 16 : 1; /* at the clock */
  const double start = MPI_Wtime();
  double passed;
  long rounds = 0;
  do {
    for (int i = 0; i < rounds_a_look; ++i) e->round(e, 0);
    rounds += rounds_a_look;
    passed = MPI_Wtime() - start;
  } while (passed < e->batch);
  return passed / (double)rounds;
}

static void lead(const char* name, const Exchange* e) {
  static Samples samples;
  e->buffer[0] = 0;
  for (int i = 0; i < 10; ++i) e->round(e, 0); /* first contact */
  const double end = MPI_Wtime() + e->figure;
  samples.n = 0;
  while (samples.n < kMaxSamples && (samples.n < kMinSamples || MPI_Wtime() < end)) {
    samples.values[samples.n++] = batch(e) * e->share * 1e6;
  }
  e->buffer[0] = kStop;
  e->round(e, 0);
  print_named(name, "us", &samples);
}

static void answer(const Exchange* e) {
  do {
    e->round(e, 1);
  } while (e->buffer[0] != kStop);
}

static void time_exchange(const char* name, Exchange e) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t room = (size_t)e.bytes * (e.round == window ? kWindow : 1);
  e.buffer = malloc(room);
  memset(e.buffer, 0, room);
  if (rank == 0) lead(name, &e);
  if (rank == 1) answer(&e);
  free(e.buffer);
}

static void pair(void) {
  static const int sizes[] = {64, 256, 1024, 4096, 16384}; /* KiB */
  Exchange e = {.round = ping_pong, .bytes = kSmall, .share = 0.5, .batch = 1e-3, .figure = 0.15};
  time_exchange("latency_8", e);
  e.wildcard = 1;
  time_exchange("wildcard_8", e);
  e.wildcard = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    char name[32];
    snprintf(name, sizeof name, "latency_%dK", sizes[i]);
    e.bytes = sizes[i] * 1024;
    time_exchange(name, e);
  }
  e.round = window;
  e.bytes = kSmall;
  e.share = 1.0 / kWindow;
  time_exchange("window_8", e);
}

static void wait_for_release(void) {
  char nothing;
  MPI_Recv(&nothing, 1, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void release(int first, int size) {
  char nothing = 0;
  for (int i = first; i < size; ++i) {
    MPI_Send(&nothing, 1, MPI_BYTE, i, kTag, MPI_COMM_WORLD);
  }
}

/* Its batches are long enough for everybody to have had every core: the best of
 * short ones would be the one in which nobody stood in the way. */
static void crowd(int rank, int size) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 1) {
    wait_for_release();
    return;
  }
  const Exchange e = {
      .round = ping_pong, .bytes = kSmall, .share = 0.5, .batch = 0.4, .figure = 1.0};
  time_exchange("crowd_8", e);
  if (rank == 0) release(2, size);
}

static void dup_and_free(void) {
  MPI_Comm made;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Comm_free(&made);
}

/* Two halves, in reversed order. */
static void split_and_free(void) {
  MPI_Comm made;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
  MPI_Comm_free(&made);
}

/* Batches double until one takes a tenth of a second; then eight more like it. A
 * batch ends when all ranks are done with it. */
static void repeat(const char* name, void (*make)(void), int rank, int size) {
  Samples samples = {.n = 0};
  char named[32];
  int rounds = 8;
  while (samples.n < 8) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; ++i) make();
    MPI_Barrier(MPI_COMM_WORLD);
    double passed = MPI_Wtime() - start;
    MPI_Bcast(&passed, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (samples.n > 0 || passed >= 0.1) {
      samples.values[samples.n++] = passed / rounds * 1e6;
    } else {
      rounds *= 2;
    }
  }
  snprintf(named, sizeof named, "%s_%d", name, size);
  if (rank == 0) print_named(named, "us", &samples);
}

static void communicators(int rank, int size) {
  repeat("dup", dup_and_free, rank, size);
  repeat("split", split_and_free, rank, size);
}

static double processor_time(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void blocked(int rank, int size) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank > 0) {
    const double before = processor_time();
    wait_for_release();
    const double used = processor_time() - before;
    MPI_Send(&used, 1, MPI_DOUBLE, 0, kTag, MPI_COMM_WORLD);
    return;
  }
  const struct timespec second = {1, 0};
  nanosleep(&second, NULL); /* outside MPI: nothing moves until it is over */
  release(1, size);
  double sum = 0;
  for (int i = 1; i < size; ++i) {
    double used;
    MPI_Recv(&used, 1, MPI_DOUBLE, i, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += used;
  }
  const Samples samples = {{sum}, 1};
  print_named("blocked_cpu", "s", &samples);
}

int main(int argc, char** argv) {
  const char* what = argc == 2 ? argv[1] : "";
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int status = 0;
  if (strcmp(what, "empty") == 0) {
    /* done */
  } else if (size >= 2 && strcmp(what, "pair") == 0) {
    pair();
  } else if (size >= 2 && strcmp(what, "crowd") == 0) {
    crowd(rank, size);
  } else if (strcmp(what, "communicators") == 0) {
    communicators(rank, size);
  } else if (size >= 2 && strcmp(what, "blocked") == 0) {
    blocked(rank, size);
  } else {
    if (rank == 0)
      fprintf(stderr, "usage: mpiexec -n RANKS figures pair|crowd|communicators|blocked|empty\n");
    status = 2;
  }
  MPI_Finalize();
  return status;
}
