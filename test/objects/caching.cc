// The standard's example of caching (MPI-1, 5.7.2; 7.7.4 of MPI 5.0): a library
// keeps with a communicator what makes its collective operation efficient, and
// copies of the communicator share it. As often printed, the example has slips:
// the test for an error is the wrong way round, the copy callback lacks its
// results, callbacks return nothing, and the group that is asked for is not freed.
#include <cstdlib>
#include <vector>

#include "test/check.h"

namespace {

int gop_key = MPI_KEYVAL_INVALID;
int prepared = 0;  // how often the work was done
int living = 0;    // of what it made

struct GopStuff {
  int ref_count;
  std::vector<int> partners;  // of a dissemination: whom to send to in each round
};

int gop_stuff_copier(MPI_Comm, int keyval, void*, void* in, void* out, int* flag) {
  CHECK_EQ(keyval, gop_key);
  auto* stuff = static_cast<GopStuff*>(in);
  ++stuff->ref_count;
  *static_cast<void**>(out) = stuff;
  *flag = 1;
  return MPI_SUCCESS;
}

int gop_stuff_destructor(MPI_Comm, int keyval, void* value, void*) {
  CHECK(keyval == gop_key || gop_key == MPI_KEYVAL_INVALID);  // freed before its last user
  auto* stuff = static_cast<GopStuff*>(value);
  if (--stuff->ref_count == 0) {
    delete stuff;
    --living;
  }
  return MPI_SUCCESS;
}

// With the names of MPI-1 or those of MPI-2.
template <bool kOldNames>
struct Names;

template <>
struct Names<true> {
  static int create() {
    return MPI_Keyval_create(gop_stuff_copier, gop_stuff_destructor, &gop_key, nullptr);
  }
  static int get(MPI_Comm comm, void* value, int* found) {
    return MPI_Attr_get(comm, gop_key, value, found);
  }
  static int put(MPI_Comm comm, void* value) { return MPI_Attr_put(comm, gop_key, value); }
  static int free() { return MPI_Keyval_free(&gop_key); }
};

template <>
struct Names<false> {
  static int create() {
    return MPI_Comm_create_keyval(gop_stuff_copier, gop_stuff_destructor, &gop_key, nullptr);
  }
  static int get(MPI_Comm comm, void* value, int* found) {
    return MPI_Comm_get_attr(comm, gop_key, value, found);
  }
  static int put(MPI_Comm comm, void* value) { return MPI_Comm_set_attr(comm, gop_key, value); }
  static int free() { return MPI_Comm_free_keyval(&gop_key); }
};

// The group of the communicator decides who takes part; it is freed again.
GopStuff* prepare(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm_group(comm, &group);
  int rank = -1, size = -1;
  MPI_Group_rank(group, &rank);
  MPI_Group_size(group, &size);
  MPI_Group_free(&group);
  auto* stuff = new GopStuff{1, {}};
  for (int distance = 1; distance < size; distance *= 2) {
    stuff->partners.push_back((rank + distance) % size);
  }
  ++prepared;
  ++living;
  return stuff;
}

// The largest value of all.
template <bool kOldNames>
int efficient_collective_op(MPI_Comm comm, int value) {
  using Name = Names<kOldNames>;
  if (gop_key == MPI_KEYVAL_INVALID && Name::create() != MPI_SUCCESS) MPI_Abort(comm, 99);
  GopStuff* stuff = nullptr;
  int found = 0;
  Name::get(comm, &stuff, &found);
  if (!found) {
    stuff = prepare(comm);
    Name::put(comm, stuff);
  }
  for (int partner : stuff->partners) {
    int other = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT, partner, 31, comm, &request);
    int size = 0, rank = 0;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Recv(&other, 1, MPI_INT, (2 * rank - partner + 2 * size) % size, 31, comm, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (other > value) value = other;
  }
  return value;
}

template <bool kOldNames>
void use_library() {
  check::set_case("caching, %s names", kOldNames ? "old" : "new");
  prepared = 0;
  MPI_Comm comm, copy, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(efficient_collective_op<kOldNames>(comm, check::rank + i), check::size - 1 + i);
  }
  CHECK_EQ(prepared, 1);
  MPI_Comm_dup(comm, &copy);  // shares what is prepared
  CHECK_EQ(efficient_collective_op<kOldNames>(copy, -check::rank), 0);
  CHECK_EQ(prepared, 1);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);  // knows nothing of it
  CHECK_EQ(efficient_collective_op<kOldNames>(other, 7 * check::rank), 7 * (check::size - 1));
  CHECK_EQ(prepared, 2);
  MPI_Comm_free(&comm);
  CHECK_EQ(living, 2);
  CHECK_EQ(efficient_collective_op<kOldNames>(copy, check::rank), check::size - 1);
  MPI_Comm_free(&copy);
  CHECK_EQ(living, 1);
  Names<kOldNames>::free();
  MPI_Comm_free(&other);
  CHECK_EQ(living, 0);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  use_library<true>();
  use_library<false>();
  return check::finish();
}
