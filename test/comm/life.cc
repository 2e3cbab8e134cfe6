// Communicators over a job's life: what is made for one is given back with it, and where
// there is no memory left for a collective buffer, collectives work without.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "test/check.h"

namespace {

// Bytes of memory that the job's segment costs now.
long long segment_memory() {
  long long bytes = -1;
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    char file[256] = {};
    struct stat facts {};
    if (readlink(path.c_str(), file, sizeof file - 1) <= 0) continue;
    const std::string name = file;
    const bool segment = name.starts_with("/memfd:atoll-job") || name.starts_with("/dev/shm/#");
    if (segment && stat(path.c_str(), &facts) == 0) bytes = facts.st_blocks * 512ll;
  }
  if (folder != nullptr) closedir(folder);
  return bytes;
}

void check_sum(MPI_Comm comm, int count) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  std::vector<int> ones(count, 1), sums(count, -1);
  CHECK_EQ(MPI_Allreduce(ones.data(), sums.data(), count, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
  if (sums.front() != size || sums.back() != size) CHECK_EQ(sums.back(), size);
}

// So many are alive at a time, and are freed in the order in which they were made.
void first_in_first_out(int alive, int made, int count) {
  check::set_case("%d communicators, %d alive, %d values", made, alive, count);
  std::vector<MPI_Comm> comms(alive, MPI_COMM_NULL);
  for (int i = 0; i < made; ++i) {
    MPI_Comm& comm = comms[i % alive];
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_sum(comm, count);
  }
  for (MPI_Comm& comm : comms) {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Each to each other, with data that does not fit into a record.
void messages() {
  check::set_case("messages");
  std::vector<int> out(1000, check::rank), in(1000);
  for (int i = 1; i < check::size; ++i) {
    const int to = (check::rank + i) % check::size;
    const int from = (check::rank + check::size - i) % check::size;
    MPI_Sendrecv(out.data(), 1000, MPI_INT, to, i, in.data(), 1000, MPI_INT, from, i,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in.front() == from && in.back() == from);
  }
}

void alive_at_once(int count) {
  check::set_case("%d communicators alive", count);
  std::vector<MPI_Comm> comms(count);
  for (MPI_Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_sum(comm, 1);
  }
  for (int i = 0; i < count; i += 7) check_sum(comms[i], 5000);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Every kind of collective, twice: the second call finds what the first one made.
void all_kinds(MPI_Comm comm) {
  int rank = 0, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int round = 0; round < 2; ++round) {
    MPI_Barrier(comm);
    int value = rank == size - 1 ? 7 : 0;
    MPI_Bcast(&value, 1, MPI_INT, size - 1, comm);
    CHECK_EQ(value, 7);
    std::vector<int> all(size), mine(size, rank);
    MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
    CHECK_EQ(all.back(), size - 1);
    MPI_Alltoall(mine.data(), 1, MPI_INT, all.data(), 1, MPI_INT, comm);
    CHECK_EQ(all.back(), size - 1);
    MPI_Gather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, 0, comm);
    MPI_Scatter(all.data(), 1, MPI_INT, &value, 1, MPI_INT, 0, comm);
    CHECK_EQ(value, rank);
    const int one = 1;
    int sum = 0;
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0) CHECK_EQ(sum, size);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(sum, rank + 1);
    MPI_Reduce_scatter_block(mine.data(), &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_EQ(sum, size * (size - 1) / 2);
    MPI_Request requests[2];
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_EQ(sum, size);
#if MPI_LEVEL >= 40
    MPI_Request persistent;
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &persistent);
    for (int start = 0; start < 2; ++start) {
      sum = 0;
      MPI_Start(&persistent);
      MPI_Wait(&persistent, MPI_STATUS_IGNORE);
      CHECK_EQ(sum, size);
    }
    MPI_Request_free(&persistent);
#endif
  }
}

void between_groups() {
  if (check::size < 2) return;
  check::set_case("between groups");
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check::rank % 2, 5, &inter);
  for (int round = 0; round < 2; ++round) {
    int sum = 0, others = 0;
    const int one = 1;
    MPI_Barrier(inter);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    MPI_Comm_remote_size(inter, &others);
    CHECK_EQ(sum, others);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int part = check::size <= 2 ? 1 : check::size <= 8 ? 4 : 40;
  all_kinds(MPI_COMM_WORLD);
  first_in_first_out(100, 400, 1);  // its peak is what stays
  const long long before = segment_memory();
  if (check::on_atoll()) CHECK(before > 0);
  first_in_first_out(100, 9000 / part, 1);
  first_in_first_out(20, 400 / part, 5000);
  first_in_first_out(400 / part, 400 / part, 3000);
  alive_at_once(10000 / part);
  // What others are about to give back may still be there.
  MPI_Barrier(MPI_COMM_WORLD);
  check::set_case("memory: %lld bytes, and %lld before", segment_memory(), before);
  if (check::on_atoll()) CHECK(segment_memory() < before + (24ll << 20));
  messages();
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  check::set_case("all kinds");
  all_kinds(copy);
  between_groups();
  MPI_Comm_free(&copy);
  return check::finish();
}
