/* The operations that onesided.c times: a call of each, the memory that it moves, and how that
 * looks afterwards.
 */
#ifndef BENCH_LAB_ONESIDED_CALLS_H
#define BENCH_LAB_ONESIDED_CALLS_H

#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/lab/measure.h"

enum { kRows = 1024, kMatrix = kRows * kRows, kPage = 4096, kTimes = 3 };

typedef struct Operation Operation;

/* A figure, and what its operation needs. */
typedef struct {
  const Operation* operation;
  int created;    /* the window is made by MPI_Win_create */
  int count;      /* doubles that a call moves */
  double compute; /* seconds */
  int rank, size; /* of MPI_COMM_WORLD */
  int64_t calls;  /* so far, of each rank that makes them; all ranks know it */
  void* mine;     /* at the origin, of malloc */
  void* part;     /* this rank's part of the window */
  MPI_Win window;
  MPI_Group other; /* the other rank of two */
  MPI_Datatype column;
} Work;

struct Operation {
  const char* name;
  enum { kNone, kBytes, kDoubles } size; /* what the number in the name means */
  enum { kOrigin, kAll } callers;        /* rank 0, or all ranks */
  enum { kOwn, kLockAll } epoch;         /* its own, if it needs one, or one around all calls */
  size_t doubles;                        /* of the window; 0: as many as a call moves */
  void (*call)(Work*);                   /* what is repeated, or */
  void (*once)(Work*, Samples*);         /* what times itself, in all ranks */
  void (*fill)(const Work*);             /* the memory; else it is zero */
  int (*right)(const Work*);             /* the memory after all calls, in each rank */
};

/* What is moved: neighbours differ. */
static inline double pattern(size_t i) { return (double)(i % 1021 + 1); }

static inline void write_pattern(double* memory, size_t count) {
  for (size_t i = 0; i < count; ++i) memory[i] = pattern(i);
}

static inline int has_pattern(const double* memory, size_t count) {
  size_t same = 0;
  while (same < count && memory[same] == pattern(same)) ++same;
  return same == count;
}

static inline void put(Work* w) {
  MPI_Put(w->mine, w->count, MPI_DOUBLE, 1, 0, w->count, MPI_DOUBLE, w->window);
  MPI_Win_flush(1, w->window);
}

static inline void fill_origin(const Work* w) {
  if (w->rank == 0) write_pattern(w->mine, (size_t)w->count);
}

static inline int target_is_right(const Work* w) {
  return w->rank == 0 || has_pattern(w->part, (size_t)w->count);
}

static inline void get(Work* w) {
  MPI_Get(w->mine, w->count, MPI_DOUBLE, 1, 0, w->count, MPI_DOUBLE, w->window);
  MPI_Win_flush(1, w->window);
}

static inline void fill_target(const Work* w) {
  if (w->rank == 1) write_pattern(w->part, (size_t)w->count);
}

static inline int origin_is_right(const Work* w) {
  return w->rank != 0 || has_pattern(w->mine, (size_t)w->count);
}

static inline void accumulate(Work* w) {
  MPI_Accumulate(w->mine, w->count, MPI_DOUBLE, 1, 0, w->count, MPI_DOUBLE, MPI_SUM, w->window);
  MPI_Win_flush(1, w->window);
}

static inline void fill_ones(const Work* w) {
  double* memory = w->mine;
  for (int i = 0; i < w->count; ++i) memory[i] = 1;
}

static inline int sums_are_right(const Work* w) {
  const double* memory = w->part;
  int same = 0;
  while (w->rank == 1 && same < w->count && memory[same] == (double)w->calls) ++same;
  return w->rank == 0 || same == w->count;
}

static inline void fetch_and_op(Work* w) {
  const int64_t one = 1;
  MPI_Fetch_and_op(&one, w->mine, MPI_INT64_T, 1, 0, MPI_SUM, w->window);
  MPI_Win_flush(1, w->window);
}

static inline void compare_and_swap(Work* w) {
  const int64_t next = w->calls + 1;
  MPI_Compare_and_swap(&next, &w->calls, w->mine, MPI_INT64_T, 1, 0, w->window);
  MPI_Win_flush(1, w->window);
}

/* Each call has counted one up, and brought what was there before. */
static inline int counter_is_right(const Work* w) {
  const int64_t* found = w->rank == 0 ? w->mine : w->part;
  return *found == (w->rank == 0 ? w->calls - 1 : w->calls);
}

static inline void put_column(Work* w) {
  MPI_Put(w->mine, 1, w->column, 1, 0, 1, w->column, w->window);
  MPI_Win_flush(1, w->window);
}

static inline void fill_matrix(const Work* w) {
  if (w->rank == 0) write_pattern(w->mine, kMatrix);
}

static inline int column_is_right(const Work* w) {
  const double* matrix = w->part;
  int right = 1;
  for (size_t i = 0; w->rank == 1 && i < kMatrix; ++i) {
    right = right && matrix[i] == (i % kRows == 0 ? pattern(i) : 0);
  }
  return right;
}

static inline void lock(Work* w) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, w->window);
  MPI_Win_unlock(1, w->window);
}

static inline void lock_all(Work* w) {
  MPI_Win_lock_all(0, w->window);
  MPI_Win_unlock_all(w->window);
}

static inline void fence(Work* w) { MPI_Win_fence(0, w->window); }

static inline void pscw(Work* w) {
  if (w->rank == 0) {
    MPI_Win_start(w->other, 0, w->window);
    MPI_Put(w->mine, w->count, MPI_DOUBLE, 1, 0, w->count, MPI_DOUBLE, w->window);
    MPI_Win_complete(w->window);
  } else {
    MPI_Win_post(w->other, 0, w->window);
    MPI_Win_wait(w->window);
  }
}

static inline void allocate(Work* w) {
  MPI_Win window;
  void* part;
  (void)w;
  MPI_Win_allocate(kPage, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &window);
  MPI_Win_free(&window);
}

static inline void contended(Work* w) {
  int64_t* count = w->mine;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->window);
  MPI_Get(count, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, w->window);
  MPI_Win_flush(0, w->window);
  *count += 1;
  MPI_Put(count, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, w->window);
  MPI_Win_unlock(0, w->window);
}

static inline int nobody_was_lost(const Work* w) {
  const int64_t* count = w->part;
  return w->rank != 0 || *count == w->calls * w->size;
}

/* Computes, which keeps the processor busy outside MPI but for its clock. */
static inline void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) {
  }
}

static inline void get_computing(Work* w, Samples* samples) {
  if (w->rank == 0) get(w); /* first contact */
  while (samples->n < kTimes) {
    MPI_Barrier(MPI_COMM_WORLD);
    compute(w->rank == 0 ? w->compute / 10 : w->compute);
    const double start = MPI_Wtime();
    if (w->rank == 0) get(w);
    samples->values[samples->n++] = (MPI_Wtime() - start - clock_cost()) * 1e6;
  }
}

static inline double processor_time(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static inline void lock_wait_cpu(Work* w, Samples* samples) {
  const long nanoseconds = (long)(w->compute * 1e9);
  const struct timespec moment = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  while (samples->n < kTimes) {
    double used = 0, sum = 0;
    if (w->rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (w->rank == 0) {
      nanosleep(&moment, NULL);
    } else {
      used = processor_time();
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->window);
      used = processor_time() - used;
    }
    MPI_Win_unlock(0, w->window);
    MPI_Reduce(&used, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    samples->values[samples->n++] = sum / w->compute;
  }
}

/* A longer name comes before its beginning. */
static const Operation kOperations[] = {
    {"put_column", kNone, kOrigin, kLockAll, kMatrix, put_column, NULL, fill_matrix,
     column_is_right},
    {"put", kBytes, kOrigin, kLockAll, 0, put, NULL, fill_origin, target_is_right},
    {"get_computing", kNone, kAll, kLockAll, 0, NULL, get_computing, fill_target, origin_is_right},
    {"get", kBytes, kOrigin, kLockAll, 0, get, NULL, fill_target, origin_is_right},
    {"accumulate", kDoubles, kOrigin, kLockAll, 0, accumulate, NULL, fill_ones, sums_are_right},
    {"fetch_and_op", kNone, kOrigin, kLockAll, 0, fetch_and_op, NULL, NULL, counter_is_right},
    {"compare_and_swap", kNone, kOrigin, kLockAll, 0, compare_and_swap, NULL, NULL,
     counter_is_right},
    {"lock_all", kNone, kAll, kOwn, 0, lock_all, NULL, NULL, NULL},
    {"lock_wait_cpu", kNone, kAll, kOwn, 0, NULL, lock_wait_cpu, NULL, NULL},
    {"lock", kNone, kOrigin, kOwn, 0, lock, NULL, NULL, NULL},
    {"fence", kNone, kAll, kOwn, 0, fence, NULL, NULL, NULL},
    {"pscw", kNone, kAll, kOwn, 0, pscw, NULL, fill_origin, target_is_right},
    {"allocate", kNone, kAll, kOwn, 0, allocate, NULL, NULL, NULL},
    {"contended", kNone, kAll, kOwn, 0, contended, NULL, NULL, nobody_was_lost},
};

#endif
