/* Times of messages of derived datatypes, for compare.py: one-way, between 2 ranks,
 * the same type on both sides. Rank 0 prints a record for each figure.
 */
#include "bench/lab/measure.h"

enum { kBlock = 128, kRagged = 10000, kMinBatches = 5, kTag = 7, kStop = 1 };

static const double kBatch = 1e-3, kFigure = 0.3; /* seconds */

/* A type, elements of it in a message, and the bytes of memory that they span. */
typedef struct {
  MPI_Datatype type;
  int count;
  size_t room;
} Message;

static Message whole(MPI_Datatype type) {
  MPI_Aint lb, extent;
  MPI_Type_commit(&type);
  MPI_Type_get_true_extent(type, &lb, &extent);
  return (Message){type, 1, (size_t)(lb + extent)};
}

/* Of a matrix of 1024 x 1024 doubles. */
static Message column(void) {
  MPI_Datatype type;
  MPI_Type_vector(1024, 1, 1024, MPI_DOUBLE, &type);
  return whole(type);
}

static Message blocks(void) {
  MPI_Datatype type;
  MPI_Type_vector(4096, 16, 32, MPI_DOUBLE, &type);
  return whole(type);
}

/* Of a block of 128 x 128 x 128 doubles: x is the index that runs fastest. */
static Message x_face(void) {
  MPI_Datatype type;
  MPI_Type_vector(kBlock * kBlock, 1, kBlock, MPI_DOUBLE, &type);
  return whole(type);
}

static Message y_face(void) {
  MPI_Datatype type;
  MPI_Type_vector(kBlock, kBlock, kBlock * kBlock, MPI_DOUBLE, &type);
  return whole(type);
}

typedef struct {
  int kind;
  double place[6];
  char name[7];
} Particle;

static Message particles(void) {
  int lengths[] = {1, 6, 7};
  MPI_Aint places[] = {0, (MPI_Aint)sizeof(double), 7 * (MPI_Aint)sizeof(double)};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, type;
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  return (Message){type, 1000, 1000 * sizeof(Particle)};
}

/* Blocks of 1 to 7 doubles with gaps of 1 to 5. */
static Message ragged(void) {
  static int lengths[kRagged], places[kRagged];
  unsigned random = 1;
  int place = 0;
  for (int i = 0; i < kRagged; ++i) {
    random = random * 1664525u + 1013904223u;
    lengths[i] = 1 + (int)(random >> 16) % 7;
    places[i] = place;
    place += lengths[i] + 1 + (int)(random >> 24) % 5;
  }
  MPI_Datatype type;
  MPI_Type_indexed(kRagged, lengths, places, MPI_DOUBLE, &type);
  return whole(type);
}

/* Columns of 512 doubles, one after the other, as elements. */
static Message transpose(void) {
  MPI_Datatype columns, type;
  MPI_Type_vector(512, 1, 512, MPI_DOUBLE, &columns);
  MPI_Type_create_resized(columns, 0, sizeof(double), &type);
  MPI_Type_free(&columns);
  MPI_Type_commit(&type);
  return (Message){type, 512, 512 * 512 * sizeof(double)};
}

static void round_trip(const Message* m, char* memory, int rank, int tag) {
  const int other = 1 - rank;
  if (rank == 0) MPI_Send(memory, m->count, m->type, other, tag, MPI_COMM_WORLD);
  MPI_Recv(memory, m->count, m->type, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(memory, m->count, m->type, other, tag, MPI_COMM_WORLD);
}

static double batch(const Message* m, char* memory) {
  const double start = MPI_Wtime();
  double passed;
  int rounds = 0;
  do {
    round_trip(m, memory, 0, kTag);
    ++rounds;
    passed = MPI_Wtime() - start;
  } while (passed < kBatch);
  return passed / rounds / 2;
}

static void lead(const char* name, const Message* m, char* memory) {
  static Samples samples;
  for (int i = 0; i < 5; ++i) round_trip(m, memory, 0, kTag);
  const double end = MPI_Wtime() + kFigure;
  samples.n = 0;
  while (samples.n < kMaxSamples && (samples.n < kMinBatches || MPI_Wtime() < end)) {
    samples.values[samples.n++] = batch(m, memory) * 1e6;
  }
  round_trip(m, memory, 0, kStop);
  print_named(name, "us", &samples);
}

/* Answers until a message has the tag that ends it. */
static void answer(const Message* m, char* memory) {
  MPI_Status status;
  do {
    MPI_Recv(memory, m->count, m->type, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Send(memory, m->count, m->type, 0, kTag, MPI_COMM_WORLD);
  } while (status.MPI_TAG != kStop);
}

static void time_message(const char* name, Message m, int rank) {
  char* memory = malloc(m.room);
  memset(memory, 1, m.room);
  if (rank == 0) lead(name, &m, memory);
  if (rank == 1) answer(&m, memory);
  free(memory);
  MPI_Type_free(&m.type);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  time_message("type_column", column(), rank);
  time_message("type_blocks", blocks(), rank);
  time_message("type_x_face", x_face(), rank);
  time_message("type_y_face", y_face(), rank);
  time_message("type_particles", particles(), rank);
  time_message("type_ragged", ragged(), rank);
  time_message("type_transpose", transpose(), rank);
  MPI_Finalize();
  return 0;
}
