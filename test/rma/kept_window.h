// A window for calls that are refused.
#pragma once

#include <algorithm>

#include "test/rma/epochs.h"
#include "test/rma/windows.h"

namespace rma {

constexpr std::size_t kBytes = 256;
constexpr long kKept = 0x5a5a5a5a5a5a5a5a;

inline int next() { return (check::rank + 1) % check::size; }
inline int previous() { return (check::rank + check::size - 1) % check::size; }

// A window whose memory no refused call may change, and which works at the end.
class Kept {
 public:
  explicit Kept(Flavor flavor, std::size_t bytes = kBytes) : window_(flavor, bytes) {
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
    window_.local([&] { std::fill_n(window_.as<long>(), window_.bytes() / 8, kKept); });
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Kept() {
    MPI_Barrier(MPI_COMM_WORLD);
    window_.local([&] {
      const long* begin = window_.as<long>();
      CHECK(std::all_of(begin, begin + window_.bytes() / 8, [](long v) { return v == kKept; }));
    });
    const long value = check::rank;
    epoch(Sync::lock_exclusive, window_, next(), previous(), [&] {
      CHECK_EQ(MPI_Put(&value, 1, MPI_LONG, next(), window_.at(next(), 8), 1, MPI_LONG, window_),
               MPI_SUCCESS);
    });
    CHECK_EQ(window_.as<long>()[1], long(previous()));
    epoch(Sync::fence, window_, next(), previous(), [&] {
      CHECK_EQ(MPI_Put(&value, 1, MPI_LONG, next(), window_.at(next(), 16), 1, MPI_LONG, window_),
               MPI_SUCCESS);
    });
    CHECK_EQ(window_.as<long>()[2], long(previous()));
    MPI_Barrier(MPI_COMM_WORLD);
  }

  operator MPI_Win() const { return window_; }
  MPI_Aint at(std::size_t byte) const { return window_.at(next(), byte); }
  const Window& window() const { return window_; }

 private:
  Window window_;
};

inline const long kOne[40] = {1, 1, 1};

}  // namespace rma
