/* Times of collective operations of MPI_COMM_WORLD.
 *
 *   collectives [cpus=LIST] [batch=S] [seconds=S] NAME...
 *
 * A name is barrier, allreduce_8, bcast_64K: an operation, and of all but barrier the
 * bytes that a rank contributes (that it sends to each rank, for alltoall and scatter),
 * in B, K or M. `batch` and `seconds` are those of a figure.
 *
 * Every call of a figure has the same buffers, apart for what goes out and what
 * comes in, and doubles in them, which reductions add up. Reduce and bcasts of less
 * than 64 KiB change the root with every call; larger bcasts, gather, scatter and scan
 * have a barrier behind them: or the root would time how far it can run ahead, or the
 * others would. The ranks begin and end a batch of calls with a barrier; rank 0 looks at
 * the clock. It prints a record for each figure, coll_NAME_RANKS.
 */
#include "bench/lab/measure.h"

enum { kPipelined = 65536 };

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

static void gather(const Call* c, int call) {
  (void)call;
  MPI_Gather(c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void scatter(const Call* c, int call) {
  (void)call;
  MPI_Scatter(c->out, c->count, MPI_DOUBLE, c->in, c->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void scan(const Call* c, int call) {
  (void)call;
  MPI_Scan(c->out, c->in, c->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

typedef struct {
  const char* name;
  void (*call)(const Call*, int call);
} Operation;

static const Operation kOperations[] = {
    {"barrier", barrier},     {"bcast", bcast},         {"reduce", reduce},
    {"allreduce", allreduce}, {"allgather", allgather}, {"alltoall", alltoall},
    {"gather", gather},       {"scatter", scatter},     {"scan", scan},
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

/* The calls of a batch. */
typedef struct {
  const Operation* operation;
  Call call;
} Calls;

static void run(const Subject* s, long rounds) {
  const Calls* calls = s->what;
  for (long i = 0; i < rounds; ++i) calls->operation->call(&calls->call, (int)i);
  MPI_Barrier(s->comm);
}

/* Memory that has been written to. */
static double* doubles(size_t count) {
  double* made = malloc(count * sizeof(double));
  for (size_t i = 0; i < count; ++i) made[i] = 1;
  return made;
}

static void figure(const char* name, Calls* calls, int bytes, Effort effort) {
  static Samples samples;
  Call* c = &calls->call;
  c->bytes = bytes;
  c->count = bytes / (int)sizeof(double);
  c->out = doubles((size_t)c->count * (size_t)c->size);
  c->in = doubles((size_t)c->count * (size_t)c->size);
  const Subject s = {run, MPI_COMM_WORLD, c->rank, 1, calls};
  measure(&s, effort, &samples);
  char fields[256];
  snprintf(fields, sizeof fields,
           "\"figure\": \"coll_%s_%d\", \"collective\": \"%s\", \"bytes\": %d, \"ranks\": %d", name,
           c->size, calls->operation->name, bytes, c->size);
  if (c->rank == 0) print_record(fields, "us", &samples);
  free(c->out);
  free(c->in);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  Calls calls;
  int status = 0, bytes;
  MPI_Comm_rank(MPI_COMM_WORLD, &calls.call.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &calls.call.size);
  /* Two ranks have a core each and count in short batches. More may share cores: batches
   * are long enough for everybody to have had them. */
  const int two = calls.call.size == 2;
  const Effort effort = {strtod(option(argc, argv, "batch", two ? "2e-3" : "4e-2"), NULL),
                         strtod(option(argc, argv, "seconds", two ? "0.2" : "0.5"), NULL)};
  for (int i = 1; i < argc && status == 0; ++i) {
    if (strchr(argv[i], '=') != NULL) continue;
    calls.operation = find(argv[i], &bytes);
    if (calls.operation != NULL) {
      figure(argv[i], &calls, bytes, effort);
    } else {
      if (calls.call.rank == 0) fprintf(stderr, "collectives: there is no figure %s\n", argv[i]);
      status = 2;
    }
  }
  MPI_Finalize();
  return status;
}
