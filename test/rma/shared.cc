// Shared memory windows, and MPI_Win_shared_query on all that have shared memory: what the memory
// of others looks like, where it lies, and that loads and stores reach it (MPI 5.0, 12.2.3).
#include <cstring>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

struct Part {
  MPI_Aint bytes = -1;
  int unit = -1;
  std::byte* base = nullptr;
};

Part query(MPI_Win win, int rank) {
  Part part;
  CHECK_EQ(MPI_Win_shared_query(win, rank, &part.bytes, &part.unit, &part.base), MPI_SUCCESS);
#if MPI_LEVEL >= 41
  MPI_Aint unit = -1;
  Part large;
  CHECK_EQ(MPI_Win_shared_query_c(win, rank, &large.bytes, &unit, &large.base), MPI_SUCCESS);
  CHECK(large.bytes == part.bytes && unit == part.unit && large.base == part.base);
#endif
  return part;
}

void all_have_stored(MPI_Win win) {
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
}

// Each rank writes its own part, and then that of the next one, by stores.
void loads_and_stores(const Window& window, const std::vector<Part>& parts) {
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  const auto seed = [](int rank, int pass) { return std::uint64_t(rank * 2 + pass); };
  check::fill(window.memory(), window.bytes(), seed(check::rank, 0));
  all_have_stored(window);
  for (int rank = 0; rank < check::size; ++rank) {
    const Part& part = parts[std::size_t(rank)];
    CHECK_PATTERN(part.base, part.bytes, seed(rank, 0));
  }
  all_have_stored(window);
  const int next = (check::rank + 1) % check::size;
  const Part& part = parts[std::size_t(next)];
  check::fill(part.base, std::size_t(part.bytes), seed(next, 1));
  all_have_stored(window);
  CHECK_PATTERN(window.memory(), window.bytes(), seed(check::rank, 1));
  // Calls and loads are about the same memory.
  std::vector<std::byte> got(std::size_t(part.bytes));
  MPI_Get(got.data(), int(got.size()), MPI_BYTE, next, 0, int(got.size()), MPI_BYTE, window);
  MPI_Win_flush(next, window);
  CHECK_PATTERN(got.data(), got.size(), seed(next, 1));
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
}

std::vector<Part> parts_of(const Window& window) {
  std::vector<Part> parts;
  for (int rank = 0; rank < check::size; ++rank) parts.push_back(query(window, rank));
  return parts;
}

// Without the hint the parts are one block, to the byte, in the order of ranks.
void contiguous(const std::vector<std::size_t>& bytes) {
  const std::size_t own = bytes[std::size_t(check::rank) % bytes.size()];
  const Window window(Flavor::shared, own, 1 + check::rank % 4);
  const std::vector<Part> parts = parts_of(window);
  CHECK(own == 0 || parts[std::size_t(check::rank)].base == window.memory());
  const std::byte* end = nullptr;
  int first = -1;
  for (int rank = 0; rank < check::size; ++rank) {
    const Part& part = parts[std::size_t(rank)];
    CHECK_EQ(part.bytes, MPI_Aint(bytes[std::size_t(rank) % bytes.size()]));
    if (part.bytes > 0 || check::on_atoll()) CHECK_EQ(part.unit, 1 + rank % 4);
    if (part.bytes == 0) continue;
    if (end != nullptr) CHECK(part.base == end);
    if (first < 0) first = rank;
    end = part.base + part.bytes;
  }
  // Of MPI_PROC_NULL: the lowest rank that has memory.
  const Part lowest = query(window, MPI_PROC_NULL);
  if (first >= 0) {
    CHECK(lowest.base == parts[std::size_t(first)].base);
    CHECK_EQ(lowest.bytes, parts[std::size_t(first)].bytes);
    CHECK_EQ(lowest.unit, parts[std::size_t(first)].unit);
  } else if (check::on_atoll()) {
    CHECK_EQ(lowest.bytes, MPI_Aint(0));
  }
  loads_and_stores(window, parts);
}

void noncontiguous() {
  const Window window(Flavor::shared_noncontig, 100 * std::size_t(check::rank + 1));
  std::vector<Part> parts = parts_of(window);
  for (int rank = 0; rank < check::size; ++rank) {
    const MPI_Aint wanted = 100 * (rank + 1);
    if (!check::on_atoll()) parts[std::size_t(rank)].bytes = wanted;  // Open MPI 4.1 rounds up
    CHECK_EQ(parts[std::size_t(rank)].bytes, wanted);
    // As allocated for itself: on a cache line of its own.
    if (check::on_atoll()) {
      CHECK_EQ(reinterpret_cast<std::uintptr_t>(parts[std::size_t(rank)].base) % 64, 0u);
    }
  }
  loads_and_stores(window, parts);
}

// An alignment that is asked for (MPI 4.1, 12.2.2 and 12.2.3).
void aligned() {
  if (!check::on_atoll()) return;
  for (Flavor flavor : {Flavor::allocate, Flavor::shared_noncontig}) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096");
    const Window window(flavor, 100, 1, MPI_COMM_WORLD, info);
    MPI_Info_free(&info);
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(window.memory()) % 4096, 0u);
  }
}

// Since MPI 4.1 other windows may have shared memory too: here all that lie in memory of MPI's.
void of_other_flavors() {
#if MPI_LEVEL >= 41
  for (Flavor flavor : {Flavor::allocate, Flavor::create_alloc_mem}) {
    check::set_case("%s", name_of(flavor));
    const Window window(flavor, 1000);
    if (check::on_atoll()) loads_and_stores(window, parts_of(window));
  }
  check::set_case("create");
  const Window window(Flavor::create, 1000);
  for (int rank = 0; rank < check::size; ++rank) {
    const Part part = query(window, rank);
    if (rank == check::rank && part.bytes != 0) {
      CHECK(part.base == window.memory());
      CHECK_EQ(part.bytes, MPI_Aint(1000));
    } else {  // none that can be loaded from
      CHECK_EQ(part.bytes, MPI_Aint(0));
      CHECK(part.base == nullptr);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const std::vector<std::vector<std::size_t>> sizes = {
      {64}, {1}, {3, 5, 17}, {0}, {0, 8}, {8, 0, 0}, {4096, 1, 100'000}, {1, 2 << 20}};
  for (const auto& bytes : sizes) {
    check::set_case("contiguous, the first size is %zu of %zu", bytes[0], bytes.size());
    contiguous(bytes);
  }
  check::set_case("not contiguous");
  noncontiguous();
  aligned();
  of_other_flavors();
  return check::finish();
}
