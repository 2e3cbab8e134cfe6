/* What the lab's programs have in common: they bind themselves, measure in batches,
 * and print what they measured, a JSON object a line. Nothing but mpi.h and Linux, so
 * that they can be built with any MPI.
 */
#ifndef BENCH_LAB_MEASURE_H
#define BENCH_LAB_MEASURE_H

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSamples = 1000, kMinSamples = 3 };

/* The text behind "name=" among the arguments, or `otherwise`. */
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

/* The rank as launchers tell it before MPI does, or -1. */
static inline int rank_before_init(void) {
  static const char* const names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                      "MPI_LOCALRANKID", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    const char* rank = getenv(names[i]);
    if (rank != NULL) return atoi(rank);
  }
  return -1;
}

/* Initializes MPI at the thread level that level=multiple names, if any; a program that
 * does not get it ends, having measured nothing. */
static inline void init(int* argc, char*** argv) {
  const int multiple = strcmp(option(*argc, *argv, "level", ""), "multiple") == 0;
  const int wanted = multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided;
  MPI_Init_thread(argc, argv, wanted, &provided);
  if (provided >= wanted) return;
  MPI_Finalize();
  exit(0);
}

/* MPI begins with each rank on its item of cpus=LIST. Bound before, where the rank is
 * known before: then its memory is near it, too. */
static inline void start(int* argc, char*** argv) {
  const char* cpus = option(*argc, *argv, "cpus", "");
  int rank = rank_before_init();
  if (rank >= 0) bind_to(item(cpus, rank));
  init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bind_to(item(cpus, rank));
}

/* What the batches of one figure gave, in the unit that is printed. */
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

/* The same for a figure that has nothing but a name. */
static inline void print_named(const char* name, const char* unit, const Samples* samples) {
  char fields[128];
  snprintf(fields, sizeof fields, "\"figure\": \"%s\"", name);
  print_record(fields, unit, samples);
}

/* Seconds that one look at the clock takes: what a batch is too long by. */
static inline double clock_cost(void) {
  static double least = 0;
  for (int i = 0; least == 0 && i < 1000; ++i) {
    const double before = MPI_Wtime();
    const double passed = MPI_Wtime() - before;
    if (passed > 0 && (least == 0 || passed < least)) least = passed;
  }
  return least;
}

/* What is measured: all ranks of `comm` do so many rounds of it. It is over for all
 * when it is over for rank 0. */
typedef struct Subject Subject;
struct Subject {
  void (*run)(const Subject*, long rounds);
  MPI_Comm comm;
  int rank;     /* in comm */
  double share; /* of a round's time that the figure is */
  void* what;
};

typedef struct {
  double batch;  /* seconds of a batch, at least: long against the clock's step, and */
  double figure; /* against the scheduler's where cores are shared; of all batches */
} Effort;

/* An effort of about a hundred batches. */
static inline Effort effort(double seconds, int cores_are_shared) {
  const double least = cores_are_shared ? 1e-2 : 5e-5;
  const double batch = seconds / 100;
  return (Effort){batch < least ? least : batch > 1e-2 ? 1e-2 : batch, seconds};
}

/* Tells all ranks how many rounds come next, and has them begin together. */
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

/* The other ranks do what rank 0 says until it says 0. */
static inline void follow(const Subject* s) {
  for (long rounds; (rounds = agree(s, 0)) > 0;) s->run(s, rounds);
}

/* Rank 0: batches grow until one is long enough, which warms everything, too. */
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

/* Measures on all ranks of the communicator; only rank 0 has samples then. What takes
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
