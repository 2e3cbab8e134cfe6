/* Times of messages by size, between two ranks:
 *
 *   mpiexec -n 2 sweep cpus=0,1 sizes=0,8,64 cold=BYTES seconds=S [level=multiple prefix=P]
 *
 *   latency        half a round trip; the message that came in goes out again. Hot: from
 *                  one buffer; cold: from the next place in `cold` bytes of memory, more
 *                  than the caches hold; typed: a vector of doubles with gaps
 *   stream         a message of many one way, all in flight at once
 *   bidirectional  the same, both ways at once
 *
 * `seconds` is for all figures. Rank 0 prints a record for each, whose name begins with
 * the prefix.
 */
#include "bench/lab/measure.h"

enum { kTag = 7, kMaxWindow = 64, kWindowBytes = 64 << 20, kDouble = sizeof(double) };

/* Messages of one figure. */
typedef struct {
  MPI_Datatype type;
  int count;   /* elements of a message */
  size_t span; /* bytes of memory from one message's place to the next's */
  int places;  /* for messages: latency moves on with each round, a stream fills them */
  int next;    /* place of the next round */
  char* out;
  char* in;
} Messages;

static void round_trips(const Subject* s, long rounds) {
  Messages* m = s->what;
  const int other = 1 - s->rank;
  for (long i = 0; i < rounds; ++i) {
    char* place = m->out + (size_t)m->next * m->span;
    m->next = m->next + 1 < m->places ? m->next + 1 : 0;
    if (s->rank == 0) MPI_Send(place, m->count, m->type, other, kTag, s->comm);
    MPI_Recv(place, m->count, m->type, other, kTag, s->comm, MPI_STATUS_IGNORE);
    if (s->rank == 1) MPI_Send(place, m->count, m->type, other, kTag, s->comm);
  }
}

static void stream(const Subject* s, long rounds) {
  const Messages* m = s->what;
  MPI_Request requests[kMaxWindow];
  for (long i = 0; i < rounds; ++i) {
    for (int k = 0; k < m->places; ++k) {
      char* place = m->out + (size_t)k * m->span;
      if (s->rank == 0) MPI_Isend(place, m->count, m->type, 1, kTag, s->comm, &requests[k]);
      if (s->rank == 1) MPI_Irecv(place, m->count, m->type, 0, kTag, s->comm, &requests[k]);
    }
    MPI_Waitall(m->places, requests, MPI_STATUSES_IGNORE);
    char ack = 0;
    if (s->rank == 0) MPI_Recv(&ack, 1, MPI_BYTE, 1, kTag, s->comm, MPI_STATUS_IGNORE);
    if (s->rank == 1) MPI_Send(&ack, 1, MPI_BYTE, 0, kTag, s->comm);
  }
}

static void both_ways(const Subject* s, long rounds) {
  const Messages* m = s->what;
  const int other = 1 - s->rank;
  MPI_Request requests[2 * kMaxWindow];
  for (long i = 0; i < rounds; ++i) {
    for (int k = 0; k < m->places; ++k) {
      const size_t at = (size_t)k * m->span;
      MPI_Irecv(m->in + at, m->count, m->type, other, kTag, s->comm, &requests[2 * k]);
      MPI_Isend(m->out + at, m->count, m->type, other, kTag, s->comm, &requests[2 * k + 1]);
    }
    MPI_Waitall(2 * m->places, requests, MPI_STATUSES_IGNORE);
  }
}

typedef struct {
  const char* figure;
  const char* variant;
  void (*run)(const Subject*, long);
} Pattern;

static const Pattern kPatterns[] = {
    {"latency", "hot", round_trips},     {"latency", "cold", round_trips},
    {"latency", "typed", round_trips},   {"stream", "hot", stream},
    {"bidirectional", "hot", both_ways},
};
enum { kFigures = sizeof kPatterns / sizeof kPatterns[0] };

/* Every other double. */
static MPI_Datatype with_gaps(size_t bytes) {
  MPI_Datatype type;
  MPI_Type_vector((int)(bytes / kDouble), 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static int at_least_one(size_t number) { return number < 1 ? 1 : (int)number; }

/* Whether this size has the figure; then `m` is what is sent. */
static int prepare(const Pattern* p, size_t bytes, size_t cold, Messages* m) {
  *m = (Messages){.type = MPI_BYTE, .count = (int)bytes, .span = bytes, .places = 1};
  if (strcmp(p->variant, "cold") == 0) {
    if (bytes == 0 || bytes > cold / 4) return 0;
    m->span = (bytes + 4095) / 4096 * 4096; /* so that nothing fetches the next one ahead */
    m->places = at_least_one(cold / m->span);
  } else if (strcmp(p->variant, "typed") == 0) {
    if (bytes < kDouble) return 0;
    m->type = with_gaps(bytes);
    m->count = 1;
    m->span = 2 * bytes;
  } else if (p->run != round_trips) {
    m->places =
        bytes * kMaxWindow <= kWindowBytes ? kMaxWindow : at_least_one(kWindowBytes / bytes);
  }
  return 1;
}

/* Memory that has been written to, or none for want of it. */
static char* memory(size_t bytes) {
  char* made = malloc(bytes);
  if (made != NULL) memset(made, 1, bytes);
  return made;
}

/* Both ranks have the memory that they need. */
static int have_room(Messages* m, int two_buffers) {
  const size_t room = (size_t)m->places * m->span + 1;
  m->out = memory(room);
  m->in = two_buffers ? memory(room) : m->out;
  int have = m->out != NULL && m->in != NULL, all = 0;
  MPI_Allreduce(&have, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

/* What all figures have in common. */
typedef struct {
  int rank;
  size_t cold;    /* bytes */
  double seconds; /* of a figure */
  const char* prefix;
} Sweep;

static void figure(const Pattern* p, size_t bytes, const Sweep* sweep) {
  static Samples samples;
  Messages m;
  if (!prepare(p, bytes, sweep->cold, &m)) return;
  const int two_buffers = p->run == both_ways;
  if (have_room(&m, two_buffers)) {
    const double share = p->run == round_trips ? 0.5 : 1.0 / m.places;
    const Subject s = {p->run, MPI_COMM_WORLD, sweep->rank, share, &m};
    measure(&s, effort(sweep->seconds, 0), &samples);
    char fields[128];
    snprintf(fields, sizeof fields, "\"figure\": \"%s%s\", \"variant\": \"%s\", \"bytes\": %zu",
             sweep->prefix, p->figure, p->variant, bytes);
    if (sweep->rank == 0) print_record(fields, "us", &samples);
  }
  if (two_buffers) free(m.in);
  free(m.out);
  if (m.type != MPI_BYTE) MPI_Type_free(&m.type);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int count = 0;
  const char* sizes = option(argc, argv, "sizes", "8");
  while (item(sizes, count) >= 0) ++count;
  Sweep sweep = {.prefix = option(argc, argv, "prefix", ""),
                 .cold = strtoull(option(argc, argv, "cold", "0"), NULL, 10)};
  sweep.seconds = strtod(option(argc, argv, "seconds", "1"), NULL) / (count * kFigures);
  MPI_Comm_rank(MPI_COMM_WORLD, &sweep.rank);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < kFigures; ++k) figure(&kPatterns[k], (size_t)item(sizes, i), &sweep);
  }
  MPI_Finalize();
  return 0;
}
