/* Shared code of the lab's programs: they bind themselves, measure in batches,
 * and print the results, one JSON object per line. It uses only mpi.h and Linux, so
 * that it can be built with any MPI.
 */
#ifndef BENCH_LAB_MEASURE_H
#define BENCH_LAB_MEASURE_H

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSamples = 1000, kMinSamples = 3 };

/* The text after "name=" among the arguments, or `otherwise`. */
static inline const char* option(int argc, char** argv, const char* name, const char* otherwise) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return argv[i] + length + 1;
  }
  return otherwise;
}

/* Number `index` of a list like "0,4,7"; -1 when it is shorter. */
static inline long item(const char* list, int index) {
  while (index-- > 0 && list != NULL) list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
  return list == NULL || *list == '\0' ? -1 : strtol(list, NULL, 10);
}

static inline void bind_to(long cpu) {
  cpu_set_t set;
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  CPU_ZERO(&set);
  CPU_SET((int)cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("binding to a cpu");
}

/* The rank from the launcher's environment variables, or -1. */
static inline int rank_before_init(void) {
  static const char* const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                      "MPI_LOCALRANKID", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    const char* rank = getenv(names[i]);
    if (rank != NULL) return atoi(rank);
  }
  return -1;
}

/* Initializes MPI, with level=multiple at MPI_THREAD_MULTIPLE; if that level is not provided,
 * the program ends without measuring. */
static inline void init(int* argc, char*** argv) {
  const int multiple = strcmp(option(*argc, *argv, "level", ""), "multiple") == 0;
  const int wanted = multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided;
  MPI_Init_thread(argc, argv, wanted, &provided);
  if (provided >= wanted) return;
  MPI_Finalize();
  exit(0);
}

/* Initializes MPI and binds each rank to its item of cpus=LIST; before MPI_Init where the rank
 * is known, so that its memory is allocated near it. */
static inline void start(int* argc, char*** argv) {
  const char* cpus = option(*argc, *argv, "cpus", "");
  int rank = rank_before_init();
  if (rank >= 0) bind_to(item(cpus, rank));
  init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bind_to(item(cpus, rank));
}

/* The results of the batches of one figure, in the unit that is printed. */
typedef struct {
  double values[kMaxSamples];
  int n;
} Samples;

/* Prints a record: {FIELDS, "unit": "UNIT", "samples": [...]}, where `fields` are JSON
 * without braces. By printf: C that is built with any MPI, where no library can be asked for. */
static inline void print_record(const char* fields, const char* unit, const Samples* samples) {
  printf("{%s, \"unit\": \"%s\", \"samples\": [", fields, unit);
  for (int i = 0; i < samples->n; ++i) printf("%s%.5g", i ? ", " : "", samples->values[i]);
  printf("]}\n");
  fflush(stdout);
}

/* The same for a figure that has only a name. */
static inline void print_named(const char* name, const char* unit, const Samples* samples) {
  char fields[128];
  snprintf(fields, sizeof fields, "\"figure\": \"%s\"", name);
  print_record(fields, unit, samples);
}

/* Seconds of one call of MPI_Wtime, by which each batch is too long. */
static inline double clock_cost(void) {
  static double least = 0;
  for (int i = 0; least == 0 && i < 1000; ++i) {
    const double before = MPI_Wtime();
    const double passed = MPI_Wtime() - before;
    if (passed > 0 && (least == 0 || passed < least)) least = passed;
  }
  return least;
}

/* The measured operation: all ranks of `comm` run `rounds` rounds of it. Rank 0 takes
 * the time, so run() has to end on all ranks when it ends on rank 0. */
typedef struct Subject Subject;
struct Subject {
  void (*run)(const Subject*, long rounds);
  MPI_Comm comm;
  int rank;     /* in comm */
  double share; /* fraction of a round's time that is the figure */
  void* what;
};

typedef struct {
  double batch;  /* least seconds of a batch: long compared with the clock's resolution, and */
  double figure; /* with scheduling where cores are shared; seconds of all batches */
} Effort;

/* An effort of about a hundred batches. */
static inline Effort effort(double seconds, int cores_are_shared) {
  const double least = cores_are_shared ? 1e-2 : 5e-5;
  const double batch = seconds / 100;
  return (Effort){batch < least ? least : batch > 1e-2 ? 1e-2 : batch, seconds};
}

/* Sends the number of the next rounds to all ranks, and starts them together. */
static inline long agree(const Subject* s, long rounds) {
  MPI_Bcast(&rounds, 1, MPI_LONG, 0, s->comm);
  MPI_Barrier(s->comm);
  return rounds;
}

/* Seconds of one batch, at rank 0. */
static inline double timed(const Subject* s, long rounds) {
  agree(s, rounds);
  const double start = MPI_Wtime();
  s->run(s, rounds);
  const double passed = MPI_Wtime() - start - clock_cost();
  return passed > 0 ? passed : 0;
}

/* The other ranks run the rounds that rank 0 announces, until it announces 0. */
static inline void follow(const Subject* s) {
  for (long rounds; (rounds = agree(s, 0)) > 0;) s->run(s, rounds);
}

/* Rank 0: increases the batch until it is long enough, which also warms up. */
static inline long calibrate(const Subject* s, const Effort* e) {
  long rounds = 1;
  timed(s, rounds); /* first contact */
  for (;;) {
    const double passed = timed(s, rounds);
    if (passed >= e->batch / 2) return passed >= e->batch ? rounds : rounds * 2;
    rounds *= passed < e->batch / 16 ? 8 : 2;
  }
}

static inline void add_batch(Samples* samples, const Subject* s, long rounds, double* spent) {
  const double passed = timed(s, rounds);
  *spent += passed;
  samples->values[samples->n++] = passed / (double)rounds * s->share * 1e6;
}

/* Measures on all ranks of the communicator; only rank 0 gets samples. An operation that takes
 * much longer than its time is measured once or twice. */
static inline void measure(const Subject* s, Effort e, Samples* samples) {
  samples->n = 0;
  if (s->rank != 0) {
    follow(s);
    return;
  }
  const long rounds = calibrate(s, &e);
  double spent = 0;
  while (samples->n < kMaxSamples &&
         spent < (samples->n < kMinSamples ? kMinSamples * e.figure : e.figure)) {
    add_batch(samples, s, rounds, &spent);
  }
  agree(s, 0);
}

#endif
