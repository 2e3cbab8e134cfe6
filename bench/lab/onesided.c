/* Times of one-sided communication.
 *
 *   onesided [cpus=LIST] [batch=S] [seconds=S] [compute=S] NAME...
 *
 *   put_SIZE, get_SIZE    bytes in B, K or M, from rank 0 to rank 1 or back, and a flush
 *   accumulate_COUNT      so many doubles, added up, and a flush
 *   fetch_and_op, compare_and_swap   of 8 bytes, and a flush
 *   put_column            a column of a matrix of 1024 x 1024 doubles into a column, and a flush
 *   lock                  exclusive lock of rank 1, and unlock
 *   lock_all              and unlock_all, by all ranks
 *   fence                 by all ranks
 *   pscw                  start, put of 8 bytes, complete in rank 0; post, wait in rank 1
 *   allocate              MPI_Win_allocate of 4 KiB a rank, and MPI_Win_free
 *   contended             exclusive lock of rank 0, get, put, and unlock, by all ranks: the time
 *                         from one such cycle to the next, whoever's it is
 *   get_computing         get of 8 bytes, and flush, while rank 1 computes for `compute` seconds
 *   lock_wait_cpu         processors used by the ranks that wait for the lock of rank 0, which
 *                         sleeps so long
 *
 * lock_all, fence, allocate, contended and lock_wait_cpu are of any number of ranks, the others of
 * two. Windows are made by MPI_Win_allocate, or by MPI_Win_create in memory of malloc where the
 * name ends with _created. Operations that end with a flush have one epoch of MPI_Win_lock_all
 * around all of them. An operation has the same memory every time; what it has moved is checked
 * when the figure has been measured, and if it is wrong the program ends. `batch` and `seconds` are
 * those of a figure. Rank 0 prints a record for each, rma_NAME_RANKS.
 */
#include <ctype.h>

#include "bench/lab/onesided_calls.h"

/* Reads a figure's name into `w`; false when there is none of that name. */
static int find(const char* name, Work* w) {
  for (size_t i = 0; i < sizeof kOperations / sizeof kOperations[0]; ++i) {
    const Operation* known = &kOperations[i];
    const size_t length = strlen(known->name);
    if (strncmp(known->name, name, length) != 0) continue;
    char* rest = (char*)name + length;
    w->count = 1;
    if (known->size != kNone) {
      if (rest[0] != '_' || !isdigit((unsigned char)rest[1])) continue;
      w->count = (int)strtol(rest + 1, &rest, 10);
      if (known->size == kBytes) {
        if (*rest == 'K') w->count *= 1024;
        if (*rest == 'M') w->count *= 1024 * 1024;
        rest += *rest == 'K' || *rest == 'M';
        w->count /= (int)sizeof(double);
      }
    }
    w->operation = known;
    w->created = strcmp(rest, "_created") == 0;
    if (w->count > 0 && (w->created || *rest == '\0')) return 1;
  }
  return 0;
}

static void run(const Subject* s, long rounds) {
  Work* w = s->what;
  const Operation* operation = w->operation;
  if (operation->callers == kAll || w->rank == 0) {
    for (long i = 0; i < rounds; ++i, ++w->calls) operation->call(w);
  } else {
    w->calls += rounds;
  }
  if (operation->callers == kAll) MPI_Barrier(s->comm);
}

/* Zeroed memory that has been written to. */
static void* memory(size_t bytes) {
  void* made = malloc(bytes);
  memset(made, 0, bytes);
  return made;
}

/* The buffer, and a window of at least `least` bytes in each rank: of whole pages, because MPICH
 * 4.0 mixes up the parts of a window that are smaller than a cache line. */
static void open_window(Work* w, size_t least) {
  const size_t bytes = (least + kPage - 1) / kPage * kPage;
  const MPI_Aint size = (MPI_Aint)bytes;
  w->calls = 0;
  w->mine = memory(bytes);
  if (w->created) {
    w->part = memory(bytes);
    MPI_Win_create(w->part, size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->window);
  } else {
    MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w->part, &w->window);
  }
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, w->rank, 0, w->window); /* local stores need an epoch */
  memset(w->part, 0, bytes);
  if (w->operation->fill != NULL) w->operation->fill(w);
  MPI_Win_unlock(w->rank, w->window);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Ends the program when the memory of a rank is not as it should be. */
static void check(const Work* w) {
  if (w->operation->right == NULL) return;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, w->rank, 0, w->window);
  if (!w->operation->right(w)) {
    fprintf(stderr, "onesided: wrong data in rank %d\n", w->rank);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  MPI_Win_unlock(w->rank, w->window);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void close_window(Work* w) {
  MPI_Win_free(&w->window);
  if (w->created) free(w->part);
  free(w->mine);
}

static void figure(const char* name, Work* w, Effort effort) {
  static Samples samples;
  const Operation* operation = w->operation;
  const size_t doubles = operation->doubles != 0 ? operation->doubles : (size_t)w->count;
  open_window(w, doubles * sizeof(double));
  if (operation->epoch == kLockAll) MPI_Win_lock_all(0, w->window);
  samples.n = 0;
  if (operation->once != NULL) {
    operation->once(w, &samples);
  } else {
    /* Contending ranks have one cycle after the other, of everybody in each round. */
    const double share = operation->call == contended ? 1.0 / w->size : 1;
    const Subject s = {run, MPI_COMM_WORLD, w->rank, share, w};
    measure(&s, effort, &samples);
  }
  if (operation->epoch == kLockAll) MPI_Win_unlock_all(w->window);
  check(w); /* of wrong data there is no record */
  char bytes[32] = "", fields[256];
  if (operation->size != kNone) {
    snprintf(bytes, sizeof bytes, ", \"bytes\": %zu", (size_t)w->count * sizeof(double));
  }
  snprintf(fields, sizeof fields,
           "\"figure\": \"rma_%s_%d\", \"onesided\": \"%s\"%s, \"ranks\": %d", name, w->size, name,
           bytes, w->size);
  const char* unit = operation->once == lock_wait_cpu ? "cpus" : "us";
  if (w->rank == 0) print_record(fields, unit, &samples);
  close_window(w);
}

/* What does not depend on the figure. */
static void prepare(Work* w) {
  MPI_Group all;
  MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &w->size);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int other = w->rank == 0 ? 1 : 0;
  MPI_Group_incl(all, 1, &other, &w->other);
  MPI_Group_free(&all);
  MPI_Type_vector(kRows, 1, kRows, MPI_DOUBLE, &w->column);
  MPI_Type_commit(&w->column);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  static Work work;
  int status = 0;
  prepare(&work);
  /* As for collectives: two ranks have a core each, more may share cores. */
  const int two = work.size == 2;
  const Effort effort = {strtod(option(argc, argv, "batch", two ? "2e-3" : "4e-2"), NULL),
                         strtod(option(argc, argv, "seconds", two ? "0.2" : "0.5"), NULL)};
  work.compute = strtod(option(argc, argv, "compute", "0.5"), NULL);
  for (int i = 1; i < argc && status == 0; ++i) {
    if (strchr(argv[i], '=') != NULL) continue;
    if (find(argv[i], &work)) {
      figure(argv[i], &work, effort);
    } else {
      if (work.rank == 0) fprintf(stderr, "onesided: there is no figure %s\n", argv[i]);
      status = 2;
    }
  }
  MPI_Group_free(&work.other);
  MPI_Type_free(&work.column);
  MPI_Finalize();
  return status;
}
