// Communicators in numbers: one after another, and alive at once.
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

void check_ring(MPI_Comm comm, int value) {
  int in = -1;
  MPI_Sendrecv(&value, 1, MPI_INT, right(), 1, &in, 1, MPI_INT, left(), MPI_ANY_TAG, comm,
               MPI_STATUS_IGNORE);
  CHECK_EQ(in, value);
}

// Context ids are limited: they come back. One rank begins late, and the others do
// not run ahead of it until none is left.
void one_after_another(int rounds) {
  if (check::rank == check::size - 1) ::usleep(300000);
  for (int i = 0; i < rounds; ++i) {
    if (i % 1000 == 0) check::set_case("copy %d of %d", i, rounds);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (i % 1000 == 0) check_ring(copy, i);
    MPI_Comm_free(&copy);
  }
}

void splits(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (i % 100 == 0) check::set_case("split %d of %d", i, rounds);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, (check::rank + i) % 2, i % 3 ? check::rank : -check::rank,
                   &half);
    if (i % 100 == 0) comms::check_exchange(half, i);
    MPI_Comm_free(&half);
  }
}

void alive(int count) {
  std::vector<MPI_Comm> comms(count);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < count; i += 97) {
    check::set_case("communicator %d of %d alive", i, count);
    check_ring(comms[i], i);
  }
  for (int i = 0; i < count; i += 2) MPI_Comm_free(&comms[i]);
  for (int i = 0; i < count; i += 2) MPI_Comm_split(comms[1], 0, 0, &comms[i]);
  for (int i = 0; i < count; i += 101) {
    check::set_case("communicator %d of %d, every second made anew", i, count);
    check_ring(comms[i], i);
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// More than there are ids: an error for all, and what was made still works.
void until_none_is_left() {
  const char* limit = std::getenv("ATOLL_CONTEXTS");
  if (!check::on_atoll() || limit == nullptr || check::size > 2) return;
  const std::size_t most = std::strtoul(limit, nullptr, 10);
  check::set_case("until no context id is left");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<MPI_Comm> comms;
  for (;;) {
    MPI_Comm copy = MPI_COMM_NULL;
    const int code = MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (code != MPI_SUCCESS) {
      CHECK_EQ(check::error_class(code), MPI_ERR_OTHER);
      CHECK(copy == MPI_COMM_NULL);
      break;
    }
    comms.push_back(copy);
    CHECK(comms.size() < most);
  }
  CHECK(comms.size() > most - 100);
  check_ring(comms.back(), 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm copy = MPI_COMM_NULL;
  CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
  check_ring(copy, 2);
  MPI_Comm_free(&copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int part = check::size <= 2 ? 1 : check::size <= 8 ? 10 : 100;
  one_after_another(100000 / part);
  splits(10000 / part);
  alive(10000 / part);
  until_none_is_left();
  return check::finish();
}
