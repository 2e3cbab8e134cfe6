// A hot ring cools on a cold plate: a real computation, with a picture.
//
//   mpiexec -n 4 ./heat [FILE [CELLS [STEPS]]]       heat.ppm 512 3000
//
// The plate of CELLS x CELLS cells is cut into blocks, one a rank, which lie in
// a grid. In each step a rank exchanges the rim of its block with up to four
// neighbours and computes. The picture has the same bits on any number of ranks.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kUp, kDown, kLeft, kRight, kSides };
static const int kOpposite[kSides] = {kDown, kUp, kRight, kLeft};

// The part of the plate that one rank computes.
typedef struct {
  int first_row;
  int first_column;
  int height;
  int width;
  int neighbours[kSides];  // ranks; MPI_PROC_NULL at the edge of the plate
  double* now;             // (height + 2) x (width + 2) cells: the neighbours' rims are around
  double* next;
} Block;

// Address of a cell; row and column -1 and height, width are the neighbours' rims.
static double* cell(const Block* block, double* field, int row, int column) {
  return field + (size_t)(row + 1) * (block->width + 2) + (column + 1);
}

static void* allocate(size_t count, size_t bytes) {
  void* memory = calloc(count, bytes);
  if (memory == NULL) {
    fprintf(stderr, "heat: no memory for %zu times %zu bytes\n", count, bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

// Where the block of `rank` lies. The grid is as square as the number of ranks allows.
static Block place(int cells, int rank, int size) {
  int rows = (int)sqrt(size);
  while (size % rows != 0) --rows;
  const int columns = size / rows;
  const int row = rank / columns;
  const int column = rank % columns;

  Block block;
  block.first_row = (int)((long)cells * row / rows);
  block.height = (int)((long)cells * (row + 1) / rows) - block.first_row;
  block.first_column = (int)((long)cells * column / columns);
  block.width = (int)((long)cells * (column + 1) / columns) - block.first_column;
  block.neighbours[kUp] = row > 0 ? rank - columns : MPI_PROC_NULL;
  block.neighbours[kDown] = row < rows - 1 ? rank + columns : MPI_PROC_NULL;
  block.neighbours[kLeft] = column > 0 ? rank - 1 : MPI_PROC_NULL;
  block.neighbours[kRight] = column < columns - 1 ? rank + 1 : MPI_PROC_NULL;
  block.now = block.next = NULL;
  return block;
}

// Everything is cold but a ring around the middle of the plate.
static void heat_the_ring(Block* block, int cells) {
  const size_t size = (size_t)(block->height + 2) * (block->width + 2);
  block->now = allocate(size, sizeof(double));
  block->next = allocate(size, sizeof(double));
  for (int i = 0; i < block->height; ++i) {
    for (int j = 0; j < block->width; ++j) {
      const double y = (block->first_row + i + 0.5) / cells - 0.5;
      const double x = (block->first_column + j + 0.5) / cells - 0.5;
      *cell(block, block->now, i, j) = fabs(sqrt(x * x + y * y) - 0.3) < 0.03;
    }
  }
}

// Copies column `from` into a buffer, or a buffer into column `to`.
static void take_column(const Block* block, int from, double* buffer) {
  for (int i = 0; i < block->height; ++i) buffer[i] = *cell(block, block->now, i, from);
}
static void put_column(const Block* block, int to, const double* buffer) {
  for (int i = 0; i < block->height; ++i) *cell(block, block->now, i, to) = buffer[i];
}

// Brings the neighbours' rims. `columns` has room for four columns: rows lie in
// one piece in the block, columns do not.
static void exchange(Block* block, double* columns) {
  const int height = block->height;
  const int width = block->width;
  double* out[kSides] = {cell(block, block->now, 0, 0), cell(block, block->now, height - 1, 0),
                         columns, columns + height};
  double* in[kSides] = {cell(block, block->now, -1, 0), cell(block, block->now, height, 0),
                        columns + 2 * height, columns + 3 * height};
  take_column(block, 0, out[kLeft]);
  take_column(block, width - 1, out[kRight]);

  MPI_Request requests[2 * kSides];
  for (int side = 0; side < kSides; ++side) {
    const int count = side == kUp || side == kDown ? width : height;
    const int neighbour = block->neighbours[side];
    // A message is tagged with the side that it leaves from.
    MPI_Irecv(in[side], count, MPI_DOUBLE, neighbour, kOpposite[side], MPI_COMM_WORLD,
              &requests[side]);
    MPI_Isend(out[side], count, MPI_DOUBLE, neighbour, side, MPI_COMM_WORLD,
              &requests[kSides + side]);
  }
  MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);

  put_column(block, -1, in[kLeft]);
  put_column(block, width, in[kRight]);
}

// One step in time: every cell moves towards the mean of its neighbours.
static void spread(Block* block) {
  const int stride = block->width + 2;
  for (int i = 0; i < block->height; ++i) {
    const double* restrict from = cell(block, block->now, i, 0);
    double* restrict to = cell(block, block->next, i, 0);
    for (int j = 0; j < block->width; ++j) {
      const double around = from[j - 1] + from[j + 1] + from[j - stride] + from[j + stride];
      to[j] = from[j] + 0.2 * (around - 4 * from[j]);
    }
  }
  double* old = block->now;
  block->now = block->next;
  block->next = old;
}

// Rank 0 returns the whole plate, the others null.
static double* gather(Block* block, int cells, int rank, int size) {
  if (rank != 0) {
    for (int i = 0; i < block->height; ++i) {
      MPI_Send(cell(block, block->now, i, 0), block->width, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    return NULL;
  }
  double* plate = allocate((size_t)cells * cells, sizeof(double));
  for (int from = 0; from < size; ++from) {
    const Block part = place(cells, from, size);
    for (int i = 0; i < part.height; ++i) {
      double* row = plate + (size_t)(part.first_row + i) * cells + part.first_column;
      if (from == 0) {
        memcpy(row, cell(block, block->now, i, 0), part.width * sizeof(double));
      } else {
        MPI_Recv(row, part.width, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  }
  return plate;
}

static double hottest(const double* plate, int cells) {
  double most = 0;
  for (size_t i = 0; i < (size_t)cells * cells; ++i) most = fmax(most, plate[i]);
  return most;
}

// Writes the plate as a picture (PPM): cold is black, then red, yellow, white.
static void write_picture(const double* plate, int cells, const char* name) {
  FILE* file = fopen(name, "wb");
  if (file == NULL) {
    perror(name);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const double most = hottest(plate, cells);
  fprintf(file, "P6\n%d %d\n255\n", cells, cells);
  for (size_t i = 0; i < (size_t)cells * cells; ++i) {
    for (int color = 0; color < 3; ++color) {
      const double light = 3 * plate[i] / most - color;
      fputc((int)(255 * fmin(fmax(light, 0), 1)), file);
    }
  }
  fclose(file);
}

// The same in 16 lines of letters, for a terminal.
static void print_picture(const double* plate, int cells) {
  const char* shades = " .:-=+*#%@";
  const double most = hottest(plate, cells);
  for (int i = 0; i < 16; ++i) {
    printf("    ");
    for (int j = 0; j < 32; ++j) {
      const size_t row = (size_t)((i + 0.5) / 16 * cells);
      const size_t column = (size_t)((j + 0.5) / 32 * cells);
      putchar(shades[(int)(9 * plate[row * cells + column] / most)]);
    }
    putchar('\n');
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* name = argc > 1 ? argv[1] : "heat.ppm";
  const int cells = argc > 2 ? atoi(argv[2]) : 512;
  const int steps = argc > 3 ? atoi(argv[3]) : 3000;

  int rank;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (cells < size) {
    if (rank == 0) fprintf(stderr, "heat: %d cells a side are too few for %d ranks\n", cells, size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  Block block = place(cells, rank, size);
  heat_the_ring(&block, cells);
  double* columns = allocate(4 * (size_t)block.height, sizeof(double));

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < steps; ++i) {
    exchange(&block, columns);
    spread(&block);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - start;

  double* plate = gather(&block, cells, rank, size);
  if (rank == 0) {
    write_picture(plate, cells, name);
    print_picture(plate, cells);
    printf("%d x %d cells, %d steps on %d ranks in %.2f s; the picture is in %s\n", cells, cells,
           steps, size, seconds, name);
  }

  free(plate);
  free(columns);
  free(block.now);
  free(block.next);
  MPI_Finalize();
  return 0;
}
