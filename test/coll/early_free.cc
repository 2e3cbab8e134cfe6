// The arrays of counts, displacements and datatypes of a non-blocking or persistent collective
// are free, overwritten and used again as soon as the call has returned, and the datatypes are
// freed. The standard lets an MPI do what it likes then; here the operation has its own copies.
#include <memory>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kInts = 3;  // of a block

// Argument arrays on the heap of their own, which end with garbage in them.
struct Arguments {
  explicit Arguments(int blocks, bool bytes) : blocks(blocks) {
    counts = std::make_unique<int[]>(blocks);
    displs = std::make_unique<int[]>(blocks);
    places = std::make_unique<MPI_Aint[]>(blocks);
    types = std::make_unique<MPI_Datatype[]>(blocks);
    MPI_Type_contiguous(kInts, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < blocks; ++i) {
      counts[i] = 1;
      displs[i] = bytes ? i * kInts * int(sizeof(int)) : i;
      places[i] = i * kInts * MPI_Aint(sizeof(int));
      types[i] = type;
    }
  }
  ~Arguments() {
    for (int i = 0; i < blocks; ++i) {
      counts[i] = 1 << 20;
      displs[i] = -(1 << 28);
      places[i] = MPI_Aint{1} << 50;
      types[i] = MPI_DATATYPE_NULL;
    }
    MPI_Type_free(&type);
  }
  int blocks;
  std::unique_ptr<int[]> counts, displs;
  std::unique_ptr<MPI_Aint[]> places;
  std::unique_ptr<MPI_Datatype[]> types;
  MPI_Datatype type;
};

int size() { return check::size; }

struct Buffers {
  std::vector<int> out = std::vector<int>(kInts * check::size),
                   in = std::vector<int>(kInts * check::size);
};

// One collective: `call(buffers, arguments, persistent, request)` begins or makes it.
template <class Call, class Expected>
void run(const char* name, int blocks, bool bytes, Call call, Expected expected) {
  for (const bool persistent : {false, true}) {
    check::set_case("%s, %s", name, persistent ? "persistent" : "non-blocking");
    Buffers b;
    MPI_Request request;
    // The last rank comes late: the others begin, free, and only then go on.
    if (check::rank == size() - 1) {
      for (int rank = 0; rank < size() - 1; ++rank) {
        MPI_Recv(nullptr, 0, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
    const bool early = !persistent && check::rank != size() - 1;
    for (int i = 0; i < kInts * size(); ++i) b.out[i] = 1000 * check::rank + i;
    {
      Arguments arguments(blocks, bytes);
      if (persistent && check::rank != size() - 1)
        MPI_Send(nullptr, 0, MPI_INT, size() - 1, 0, MPI_COMM_WORLD);
      CHECK_EQ(call(b, arguments, persistent, &request), MPI_SUCCESS);
    }
    if (early) MPI_Send(nullptr, 0, MPI_INT, size() - 1, 0, MPI_COMM_WORLD);
    for (int start = 0; start < (persistent ? 2 : 1); ++start) {
      if (persistent) {
        b.in.assign(kInts * size(), -1);
        MPI_Start(&request);
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      for (int i = 0; i < kInts * blocks; ++i) {
        if (const int value = expected(i / kInts, i % kInts); value >= 0) CHECK_EQ(b.in[i], value);
      }
    }
    if (persistent) MPI_Request_free(&request);
  }
}

#define BEGIN(nonblocking, init, ...) \
  (persistent ? init(__VA_ARGS__, MPI_INFO_NULL, request) : nonblocking(__VA_ARGS__, request))
#define CALL(...) \
  [=](Buffers& b, Arguments& a, bool persistent, MPI_Request* request) { return __VA_ARGS__; }

void among_all() {
  const int rank = check::rank, root = size() / 2;
  const auto from = [=](int block, int i) { return 1000 * block + kInts * rank + i; };
  const auto first = [=](int block, int i) { return 1000 * block + i; };
  run("alltoallw", size(), true,
      CALL(BEGIN(MPI_Ialltoallw, MPI_Alltoallw_init, b.out.data(), a.counts.get(), a.displs.get(),
                 a.types.get(), b.in.data(), a.counts.get(), a.displs.get(), a.types.get(),
                 MPI_COMM_WORLD)),
      from);
  run("alltoallv", size(), false,
      CALL(BEGIN(MPI_Ialltoallv, MPI_Alltoallv_init, b.out.data(), a.counts.get(), a.displs.get(),
                 a.type, b.in.data(), a.counts.get(), a.displs.get(), a.type, MPI_COMM_WORLD)),
      from);
  run("allgatherv", size(), false,
      CALL(BEGIN(MPI_Iallgatherv, MPI_Allgatherv_init, b.out.data(), 1, a.type, b.in.data(),
                 a.counts.get(), a.displs.get(), a.type, MPI_COMM_WORLD)),
      first);
  run("gatherv", size(), false,
      CALL(BEGIN(MPI_Igatherv, MPI_Gatherv_init, b.out.data(), 1, a.type, b.in.data(),
                 a.counts.get(), a.displs.get(), a.type, root, MPI_COMM_WORLD)),
      [=](int block, int i) { return rank == root ? first(block, i) : -1; });
  run("scatterv", size(), false,
      CALL(BEGIN(MPI_Iscatterv, MPI_Scatterv_init, b.out.data(), a.counts.get(), a.displs.get(),
                 a.type, b.in.data(), 1, a.type, root, MPI_COMM_WORLD)),
      [=](int block, int i) { return block == 0 ? 1000 * root + kInts * rank + i : -1; });
  run("reduce_scatter", size(), false,
      CALL(BEGIN(MPI_Ireduce_scatter, MPI_Reduce_scatter_init, b.out.data(), b.in.data(),
                 a.counts.get(), MPI_INT, MPI_MAX, MPI_COMM_WORLD)),
      [=](int block, int i) { return block + i == 0 ? 1000 * (size() - 1) + rank : -1; });
}

void among_neighbours(MPI_Comm ring) {
  const int left = (check::rank + size() - 1) % size(), right = (check::rank + 1) % size();
  const auto from = [=](int block, int i) {
    return block == 0 ? 1000 * left + kInts + i : 1000 * right + i;
  };
  run("neighbor_alltoallw", 2, true,
      CALL(BEGIN(MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init, b.out.data(), a.counts.get(),
                 a.places.get(), a.types.get(), b.in.data(), a.counts.get(), a.places.get(),
                 a.types.get(), ring)),
      from);
  run("neighbor_alltoallv", 2, false,
      CALL(BEGIN(MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init, b.out.data(), a.counts.get(),
                 a.displs.get(), a.type, b.in.data(), a.counts.get(), a.displs.get(), a.type,
                 ring)),
      from);
  run("neighbor_allgatherv", 2, false,
      CALL(BEGIN(MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init, b.out.data(), 1, a.type,
                 b.in.data(), a.counts.get(), a.displs.get(), a.type, ring)),
      [=](int block, int i) { return 1000 * (block == 0 ? left : right) + i; });
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  if (!check::on_atoll()) {
    check::passed();
    return check::finish();
  }
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &check::size, &periodic, 0, &ring);
  among_all();
  among_neighbours(ring);
  MPI_Comm_free(&ring);
  return check::finish();
}
