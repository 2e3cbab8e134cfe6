/* What nobody should be able to do faster by other calls of the same MPI:
 *
 *   mpiexec -n RANKS guidelines [cpus=LIST] shared=0|1 seconds=S sizes=8,1024
 *
 * Each guideline has two sides: the call that is made for something, and other calls that
 * do at least the same. Their batches take turns. `seconds` is for all; `shared` says
 * that ranks share cores. Rank 0 prints two records for each guideline and size, whose
 * "side" is "call" and "mimic".
 */
#include "bench/lab/measure.h"

enum { kTag = 7 };

typedef struct {
  int rank, size; /* of MPI_COMM_WORLD */
  int bytes;      /* of a message, or of a rank's contribution; a multiple of 16 */
  char *out, *in, *third;
} Data;

/* The same number of bytes from each rank; doubles in reductions. */
#define BYTES(d) (d)->bytes, MPI_BYTE
#define DOUBLES(d) (d)->bytes / (int)sizeof(double), MPI_DOUBLE

static void allreduce(const Data* d) {
  MPI_Allreduce(d->out, d->in, DOUBLES(d), MPI_SUM, MPI_COMM_WORLD);
}
static void reduce(const Data* d) {
  MPI_Reduce(d->out, d->in, DOUBLES(d), MPI_SUM, 0, MPI_COMM_WORLD);
}
static void bcast(const Data* d) { MPI_Bcast(d->in, BYTES(d), 0, MPI_COMM_WORLD); }
static void allgather(const Data* d) {
  MPI_Allgather(d->out, BYTES(d), d->in, BYTES(d), MPI_COMM_WORLD);
}
static void gather(const Data* d) {
  MPI_Gather(d->out, BYTES(d), d->in, BYTES(d), 0, MPI_COMM_WORLD);
}
static void alltoall(const Data* d) {
  MPI_Alltoall(d->out, BYTES(d), d->in, BYTES(d), MPI_COMM_WORLD);
}
static void scatter(const Data* d) {
  MPI_Scatter(d->out, BYTES(d), d->in, BYTES(d), 0, MPI_COMM_WORLD);
}
static void scan(const Data* d) { MPI_Scan(d->out, d->in, DOUBLES(d), MPI_SUM, MPI_COMM_WORLD); }
static void exscan_and_local(const Data* d) {
  MPI_Exscan(d->out, d->in, DOUBLES(d), MPI_SUM, MPI_COMM_WORLD);
  if (d->rank > 0) MPI_Reduce_local(d->out, d->in, DOUBLES(d), MPI_SUM);
}
static void reduce_scatter(const Data* d) {
  MPI_Reduce_scatter_block(d->out, d->in, DOUBLES(d), MPI_SUM, MPI_COMM_WORLD);
}
static void reduce_all(const Data* d) {
  MPI_Reduce(d->out, d->third, d->size * d->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, 0,
             MPI_COMM_WORLD);
}
static void barrier(const Data* d) {
  (void)d;
  MPI_Barrier(MPI_COMM_WORLD);
}
static void tiny_allreduce(const Data* d) {
  MPI_Allreduce(d->out, d->in, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

static void reduce_bcast(const Data* d) { reduce(d), bcast(d); }
static void gather_bcast(const Data* d) {
  gather(d);
  MPI_Bcast(d->in, d->bytes * d->size, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void bcast_all(const Data* d) {
  MPI_Bcast(d->in, d->bytes * d->size, MPI_BYTE, 0, MPI_COMM_WORLD);
}
static void reduce_then_scatter(const Data* d) {
  reduce_all(d);
  MPI_Scatter(d->third, BYTES(d), d->in, BYTES(d), 0, MPI_COMM_WORLD);
}

/* Messages between ranks 0 and 1, forth and back. */
typedef void (*Transfer)(const Data*, int partner, int sends);

static void exchange(const Data* d, Transfer transfer) {
  if (d->rank > 1) return;
  transfer(d, 1 - d->rank, d->rank == 0);
  transfer(d, 1 - d->rank, d->rank == 1);
}

static void one(const Data* d, int partner, int sends) {
  if (sends) MPI_Send(d->out, BYTES(d), partner, kTag, MPI_COMM_WORLD);
  if (!sends) MPI_Recv(d->in, BYTES(d), partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void halves(const Data* d, int partner, int sends) {
  const int half = d->bytes / 2;
  MPI_Request parts[2];
  for (int i = 0; i < 2; ++i) {
    char* out = d->out + i * half;
    char* in = d->in + i * half;
    if (sends) MPI_Isend(out, half, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &parts[i]);
    if (!sends) MPI_Irecv(in, half, MPI_BYTE, partner, kTag, MPI_COMM_WORLD, &parts[i]);
  }
  MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
}

/* Every other block of two doubles. */
static MPI_Datatype gaps(const Data* d) {
  static MPI_Datatype type = MPI_DATATYPE_NULL;
  static int bytes = 0;
  if (bytes != d->bytes) {
    if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    MPI_Type_vector(d->bytes / 16, 2, 4, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    bytes = d->bytes;
  }
  return type;
}

static void typed(const Data* d, int partner, int sends) {
  const MPI_Datatype type = gaps(d);
  if (sends) MPI_Send(d->out, 1, type, partner, kTag, MPI_COMM_WORLD);
  if (!sends) MPI_Recv(d->in, 1, type, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void packed(const Data* d, int partner, int sends) {
  const MPI_Datatype type = gaps(d);
  int at = 0;
  if (sends) {
    MPI_Pack(d->out, 1, type, d->third, d->bytes, &at, MPI_COMM_WORLD);
    MPI_Send(d->third, at, MPI_PACKED, partner, kTag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(d->third, d->bytes, MPI_PACKED, partner, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(d->third, d->bytes, &at, d->in, 1, type, MPI_COMM_WORLD);
  }
}

static void one_message(const Data* d) { exchange(d, one); }
static void two_halves(const Data* d) { exchange(d, halves); }
static void typed_message(const Data* d) { exchange(d, typed); }
static void packed_message(const Data* d) { exchange(d, packed); }

typedef struct {
  const char* name; /* CALL <= MIMIC */
  void (*call)(const Data*);
  void (*mimic)(const Data*);
  int sizes; /* how many of the sizes: a barrier has one */
} Guideline;

static const Guideline kGuidelines[] = {
    {"Allreduce <= Reduce + Bcast", allreduce, reduce_bcast, 99},
    {"Reduce <= Allreduce", reduce, allreduce, 99},
    {"Allgather <= Gather + Bcast", allgather, gather_bcast, 99},
    {"Allgather <= Alltoall", allgather, alltoall, 99},
    {"Gather <= Allgather", gather, allgather, 99},
    {"Scatter <= Bcast of all blocks", scatter, bcast_all, 99},
    {"Reduce_scatter_block <= Reduce + Scatter", reduce_scatter, reduce_then_scatter, 99},
    {"Scan <= Exscan + Reduce_local", scan, exscan_and_local, 99},
    {"Barrier <= Allreduce of one byte", barrier, tiny_allreduce, 1},
    {"one message <= two halves", one_message, two_halves, 99},
    {"typed message <= Pack + Send, Recv + Unpack", typed_message, packed_message, 99},
};
enum { kCount = sizeof kGuidelines / sizeof kGuidelines[0] };

typedef struct {
  void (*call)(const Data*);
  const Data* data;
} Side;

/* With a barrier behind each call: nobody runs ahead, on either side. */
static void run(const Subject* s, long rounds) {
  const Side* side = s->what;
  for (long i = 0; i < rounds; ++i) {
    side->call(side->data);
    MPI_Barrier(s->comm);
  }
}

static void print_side(const Guideline* g, const Data* d, const char* side,
                       const Samples* samples) {
  char fields[256];
  snprintf(fields, sizeof fields,
           "\"figure\": \"guideline\", \"guideline\": \"%s\", \"side\": \"%s\", \"bytes\": %d, "
           "\"ranks\": %d",
           g->name, side, d->bytes, d->size);
  print_record(fields, "us", samples);
}

/* Both sides in turn, by as many rounds; others follow both. */
static void compare_sides(const Guideline* g, const Data* d, Effort e) {
  static Samples samples[2];
  Side sides[2] = {{g->call, d}, {g->mimic, d}};
  Subject s[2];
  long rounds[2];
  for (int i = 0; i < 2; ++i) {
    s[i] = (Subject){run, MPI_COMM_WORLD, d->rank, 1, &sides[i]};
    if (d->rank == 0) rounds[i] = calibrate(&s[i], &e), agree(&s[i], 0);
    if (d->rank != 0) follow(&s[i]);
    samples[i].n = 0;
  }
  double spent = 0;
  long more = 1;
  while (more) {
    for (int i = 0; i < 2; ++i) {
      if (d->rank == 0) add_batch(&samples[i], &s[i], rounds[i], &spent);
      if (d->rank != 0) run(&s[i], agree(&s[i], 0));
    }
    more = samples[0].n < kMaxSamples && (samples[0].n < kMinSamples || spent < e.figure);
    MPI_Bcast(&more, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  }
  if (d->rank != 0) return;
  print_side(g, d, "call", &samples[0]);
  print_side(g, d, "mimic", &samples[1]);
}

static void all_of_size(Data* d, int index, Effort e) {
  const size_t room = (size_t)d->bytes * (size_t)(d->size > 2 ? d->size : 2);
  d->out = calloc(1, room);
  d->in = calloc(1, room);
  d->third = calloc(1, room);
  for (int i = 0; i < kCount; ++i) {
    if (index < kGuidelines[i].sizes) compare_sides(&kGuidelines[i], d, e);
  }
  free(d->out);
  free(d->in);
  free(d->third);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  Data d;
  int count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &d.size);
  const char* sizes = option(argc, argv, "sizes", "16");
  while (item(sizes, count) >= 0) ++count;
  const double seconds = strtod(option(argc, argv, "seconds", "1"), NULL) / (count * kCount);
  const Effort e = effort(seconds, atoi(option(argc, argv, "shared", "0")));
  for (int i = 0; i < count; ++i) {
    d.bytes = (int)(item(sizes, i) + 15) / 16 * 16;
    all_of_size(&d, i, e);
  }
  MPI_Finalize();
  return 0;
}
