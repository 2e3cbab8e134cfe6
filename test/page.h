// Memory that the ranks of a test share without MPI, for what they tell each other while
// the MPI library is not to notice.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "test/check.h"

namespace check {

// Maps zeroed memory of rank 0's for a Page in all ranks, which call this together.
template <class Page>
Page& map_page() {
  int where[2] = {int(getpid()), -1};
  if (rank == 0) {
    where[1] = memfd_create("page", 0);
    CHECK(ftruncate(where[1], sizeof(Page)) == 0);
  }
  MPI_Bcast(where, 2, MPI_INT, 0, MPI_COMM_WORLD);
  const std::string path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
  const int descriptor = rank == 0 ? where[1] : open(path.c_str(), O_RDWR);
  void* mapped = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  CHECK(mapped != MAP_FAILED);
  return *static_cast<Page*>(mapped);
}

// Waits outside MPI. Pairs with the release store of whoever counts.
inline void wait_outside_mpi(const std::atomic<int>& count, int wanted) {
  while (count.load(std::memory_order_acquire) < wanted) usleep(50);
}

}  // namespace check
