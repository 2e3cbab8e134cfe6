// Rank 0 writes random words into the job's shared memory while all ranks exchange
// messages and call collectives: what a stray pointer of a program may do. The results
// do not count. The argument is the seed.
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "test/faults/scribbling.h"

namespace {

using scribbling::kPage;
using scribbling::Mapping;

constexpr int kRounds = 60;
constexpr int kFirstScribble = 10;  // in that round rings, requests and collectives are there

// Pages that somebody has touched. Those that begin a row of them hold the heads of
// rings and tables, so they are listed as often as all the others together.
std::vector<unsigned char*> targets() {
  std::vector<unsigned char*> heads, all;
  for (const Mapping& part : scribbling::segment()) {
    if (!part.writable) continue;
    std::vector<unsigned char> resident(part.pages);
    if (::mincore(part.begin, part.pages * kPage, resident.data()) != 0) continue;
    for (std::size_t page = 0; page < part.pages; ++page) {
      if ((resident[page] & 1) == 0) continue;
      all.push_back(part.begin + page * kPage);
      if (page == 0 || (resident[page - 1] & 1) == 0) heads.push_back(all.back());
    }
  }
  const std::size_t others = all.size();
  for (std::size_t i = 0; i < others; ++i) all.push_back(heads[i % heads.size()]);
  return all;
}

void scribble(std::mt19937& random, int words) {
  const std::vector<unsigned char*> pages = targets();
  if (pages.empty()) return;
  for (int i = 0; i < words; ++i) {
    scribbling::damage(pages[random() % pages.size()] + random() % (kPage / 8) * 8, random);
  }
}

struct Buffers {
  std::vector<double> out, in, wide;
};

void exchange(Buffers& buffers, int rank, int size, int count, int tag, MPI_Datatype column) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Request requests[4];
  MPI_Irecv(buffers.in.data(), count, MPI_DOUBLE, previous, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(buffers.wide.data(), 1, column, MPI_ANY_SOURCE, tag + 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(buffers.out.data(), count, MPI_DOUBLE, next, tag, MPI_COMM_WORLD, &requests[2]);
  MPI_Issend(buffers.wide.data() + 1, 1, column, next, tag + 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

void collectives(Buffers& buffers, int size, int count, int root) {
  const int part = std::max(1, count / size);
  MPI_Bcast(buffers.out.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Allreduce(buffers.out.data(), buffers.in.data(), count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Alltoall(buffers.out.data(), part, MPI_DOUBLE, buffers.in.data(), part, MPI_DOUBLE,
               MPI_COMM_WORLD);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::mt19937 random(static_cast<unsigned>(std::strtoul(argc > 1 ? argv[1] : "1", nullptr, 10)));
  constexpr int kCounts[] = {1, 100, 3000, 40000};  // doubles
  Buffers buffers{std::vector<double>(50000), std::vector<double>(50000),
                  std::vector<double>(100000)};
  const int words = 1 << random() % 10;
  for (int round = 0; round < kRounds; ++round) {
    const int count = kCounts[round % 4];
    MPI_Datatype column;
    MPI_Type_vector(count, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0 && round >= kFirstScribble) scribble(random, words);
    exchange(buffers, rank, size, count, round * 2, column);
    collectives(buffers, size, count, round % size);
    MPI_Type_free(&column);
  }
  MPI_Finalize();
  return 0;
}
