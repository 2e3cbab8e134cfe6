// Many windows: thousands one after the other, which leave nothing behind, and a thousand at once,
// each with data of its own.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/rma/epochs.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

int next() { return (check::rank + 1) % check::size; }
int previous() { return (check::rank + check::size - 1) % check::size; }

void many_in_a_row(Flavor flavor, int count) {
  for (int i = 0; i < count; ++i) {
    const Window window(flavor, 64 + std::size_t(i % 7) * 64);
    if (i % 100 != 0) continue;
    window.local([&] { *window.as<int>() = 0; });
    epoch(Sync::lock_shared, window, next(), previous(),
          [&] { MPI_Put(&i, 1, MPI_INT, next(), window.at(next(), 0), 1, MPI_INT, window); });
    CHECK_EQ(*window.as<int>(), i);
  }
}

void many_at_once(Flavor flavor, int count) {
  std::vector<std::unique_ptr<Window>> windows;
  for (int i = 0; i < count; ++i) {
    windows.push_back(std::make_unique<Window>(flavor, 1024));
    windows.back()->local([&] { *windows.back()->as<int>() = -1; });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    const int value = i * 10 + check::rank;
    MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, *windows[std::size_t(i)]);
    MPI_Put(&value, 1, MPI_INT, next(), windows[std::size_t(i)]->at(next(), 0), 1, MPI_INT,
            *windows[std::size_t(i)]);
    MPI_Win_unlock(next(), *windows[std::size_t(i)]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    see_own(*windows[std::size_t(i)], check::rank);
    CHECK_EQ(*windows[std::size_t(i)]->as<int>(), i * 10 + previous());
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const bool all = check::on_atoll();  // others have no numbers for so many
  for (Flavor flavor : flavors()) {
    check::set_case("%s, many in a row", name_of(flavor));
    const int in_a_row = flavor != Flavor::allocate ? 1000 : check::size <= 4 ? 10000 : 3000;
    many_in_a_row(flavor, all ? in_a_row : 50);
    check::set_case("%s, many at once", name_of(flavor));
    many_at_once(flavor, !all ? 20 : check::size <= 4 ? 1000 : 200);
  }
  return check::finish();
}
