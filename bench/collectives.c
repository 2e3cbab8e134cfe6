/* Times of collective operations of MPI_COMM_WORLD, for compare.py.
 *
 *   collectives NAME...     barrier, allreduce_8, bcast_64K: an operation, and of all
 *                           but barrier the bytes that a rank contributes (that it
 *                           sends to each rank, for alltoall), in B, K or M
 *
 * Every call of a figure has the same buffers, apart for what goes out and what
 * comes in, and doubles in them, which reductions add up. Reduce and bcasts of less
 * than 64 KiB change the root with every call, larger bcasts have a barrier behind
 * them: or the root would time how far it can run ahead, or the others would. The
 * ranks begin and end a batch of calls with a barrier; rank 0 looks at the clock. It
 * prints a line for each figure: coll_NAME_RANKS, best batch, median batch, unit.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMinBatches = 2, kMaxBatches = 100, kPipelined = 65536 };

typedef struct {
  int rank, size;   /* of MPI_COMM_WORLD */
  int bytes, count; /* count: of doubles */
  double *out, *in;
} Call;

static int root_of(const Call* c, int call) { return call % c->size; }

static void barrier(const Call* c, int call) {
  (void)c, (void)call;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(const Call* c, int call) {
  const int rotates = c->bytes < kPipelined;
  MPI_Bcast(c->in, c->count, MPI_DOUBLE, rotates ? root_of(c, call) : 0, MPI_COMM_WORLD);
  if (!rotates) MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce(const Call* c, int call) {
  MPI_Reduce(c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM, root_of(c, call), MPI_COMM_WORLD);
}

static void allreduce(const Call* c, int call) {
  (void)call;
  MPI_Allreduce(c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(const Call* c, int call) {
  (void)call;
  MPI_Allgather(c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoall(const Call* c, int call) {
  (void)call;
  MPI_Alltoall(c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, MPI_COMM_WORLD);
}

typedef struct {
  const char* name;
  void (*call)(const Call*, int call);
} Operation;

static const Operation kOperations[] = {
    {"barrier", barrier},     {"bcast", bcast},         {"reduce", reduce},
    {"allreduce", allreduce}, {"allgather", allgather}, {"alltoall", alltoall},
};

/* The operation of a figure's name, and its bytes, or NULL. */
static const Operation* find(const char* name, int* bytes) {
  const size_t length = strcspn(name, "_");
  char* unit = "";
  *bytes = name[length] == '_' ? (int)strtol(name + length + 1, &unit, 10) : 0;
  if (*unit == 'K') *bytes *= 1024;
  if (*unit == 'M') *bytes *= 1024 * 1024;
  for (size_t i = 0; i < sizeof kOperations / sizeof kOperations[0]; ++i) {
    const char* known = kOperations[i].name;
    if (strlen(known) == length && strncmp(known, name, length) == 0) return &kOperations[i];
  }
  return NULL;
}

/* Seconds that `calls` calls took, the same on all ranks. */
static double batch(const Operation* operation, const Call* c, int calls) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) operation->call(c, i);
  MPI_Barrier(MPI_COMM_WORLD);
  double passed = MPI_Wtime() - start;
  MPI_Bcast(&passed, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return passed;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Two ranks have a core each and count in short batches. More share cores: batches
 * are long enough for everybody to have had them. All times are in seconds. */
static void measure(const char* name, const Operation* operation, const Call* c) {
  const double length = c->size == 2 ? 2e-3 : 4e-2, enough = c->size == 2 ? 0.2 : 0.5;
  double times[kMaxBatches], sum = 0;
  int calls = 1, n = 0;
  while (n < kMinBatches || (n < kMaxBatches && sum < enough)) {
    const double passed = batch(operation, c, calls);
    if (n == 0 && passed < length) {
      calls *= 2;
    } else {
      sum += passed;
      times[n++] = passed / calls;
    }
  }
  qsort(times, (size_t)n, sizeof times[0], ascending);
  if (c->rank != 0) return;
  printf("coll_%s_%d %.4f %.4f us\n", name, c->size, times[0] * 1e6, times[n / 2] * 1e6);
  fflush(stdout);
}

/* Memory that has been written to. */
static double* doubles(size_t count) {
  double* made = malloc(count * sizeof(double));
  for (size_t i = 0; i < count; ++i) made[i] = 1;
  return made;
}

int main(int argc, char** argv) {
  Call c;
  int status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &c.size);
  for (int i = 1; i < argc; ++i) {
    const Operation* operation = find(argv[i], &c.bytes);
    if (operation == NULL) {
      if (c.rank == 0) fprintf(stderr, "collectives: there is no figure %s\n", argv[i]);
      status = 2;
      break;
    }
    c.count = c.bytes / (int)sizeof(double);
    c.out = doubles((size_t)c.count * (size_t)c.size);
    c.in = doubles((size_t)c.count * (size_t)c.size);
    measure(argv[i], operation, &c);
    free(c.out);
    free(c.in);
  }
  MPI_Finalize();
  return status;
}
