// A passive target computes, or sleeps, and calls nothing of MPI while others lock it, put, get
// and accumulate there: all that is complete before the target, which waits for nothing but a
// value in its memory or a signal, goes on (MPI 5.0, 12.5). In every flavor of window.
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <numeric>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

constexpr int kTarget = 0;
constexpr int kLong = 3000;          // values of long transfers, for each origin
constexpr std::size_t kDone = 0;     // how many origins have finished
constexpr std::size_t kCount = 64;   // a counter of all
constexpr std::size_t kParts = 128;  // what each origin has for itself

std::size_t part_bytes() { return (2 * kLong + 8) * sizeof(long); }
std::size_t part(int rank) { return kParts + std::size_t(rank) * part_bytes(); }

// --- what the target does meanwhile ---

// Computes until its memory says that all have finished.
void compute(const Window& window) {
  const volatile long* done = reinterpret_cast<const long*>(window.memory() + kDone);
  volatile double sum = 0;
  while (*done < check::size - 1) {
    for (int i = 1; i < 1000; ++i) sum = sum + 1.0 / i;
    help_other_mpi();
  }
}

// Sleeps in short steps until its memory says so.
void doze(const Window& window) {
  const volatile long* done = reinterpret_cast<const long*>(window.memory() + kDone);
  while (*done < check::size - 1) {
    const timespec step{0, 100'000};
    nanosleep(&step, nullptr);
    help_other_mpi();
  }
}

sigset_t user_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return set;
}

// Sleeps until the last of the others sends a signal.
void await_signal(const Window&) {
  const sigset_t set = user_signal();
  const timespec step{check::on_atoll() ? 1000 : 0, 1'000'000};
  while (sigtimedwait(&set, nullptr, &step) != SIGUSR1) help_other_mpi();
}

// --- what the others do ---

class Origin {
 public:
  explicit Origin(const Window& window)
      : window_(window), values_(kLong), ones_(kLong, 1), got_(kLong) {
    std::iota(values_.begin(), values_.end(), check::rank * 10000L);
  }

  void operate() {
    exclusive();
    under_lock_all();
    derived();
  }

  // The number of those that finished before.
  long finish() {
    const long one = 1;
    long before = -1;
    MPI_Win_lock(MPI_LOCK_SHARED, kTarget, 0, window_);
    MPI_Fetch_and_op(&one, &before, MPI_LONG, kTarget, window_.at(kTarget, kDone), MPI_SUM,
                     window_);
    MPI_Win_unlock(kTarget, window_);
    return before;
  }

 private:
  MPI_Aint own(std::size_t value) const {
    return window_.at(kTarget, part(check::rank) + value * sizeof(long));
  }

  void expect(long first, long step) const {
    for (int i = 0; i < kLong; ++i) CHECK_EQ(got_[i], first + step * i);
  }

  void exclusive() {
    for (int i = 0; i < 3; ++i) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, kTarget, 0, window_);
      MPI_Put(values_.data(), kLong, MPI_LONG, kTarget, own(0), kLong, MPI_LONG, window_);
      MPI_Win_flush(kTarget, window_);
      MPI_Get(got_.data(), kLong, MPI_LONG, kTarget, own(0), kLong, MPI_LONG, window_);
      MPI_Win_unlock(kTarget, window_);
      expect(check::rank * 10000L, 1);
    }
  }

  void under_lock_all() {
    MPI_Win_lock_all(0, window_);
    MPI_Accumulate(values_.data(), kLong, MPI_LONG, kTarget, own(0), kLong, MPI_LONG, MPI_SUM,
                   window_);
    MPI_Win_flush(kTarget, window_);
    MPI_Get_accumulate(ones_.data(), kLong, MPI_LONG, got_.data(), kLong, MPI_LONG, kTarget, own(0),
                       kLong, MPI_LONG, MPI_REPLACE, window_);
    MPI_Win_flush_local(kTarget, window_);
    expect(check::rank * 20000L, 2);
    const long one = 1;
    for (int i = 0; i < 10; ++i) {
      MPI_Accumulate(&one, 1, MPI_LONG, kTarget, window_.at(kTarget, kCount), 1, MPI_LONG, MPI_SUM,
                     window_);
    }
    long found = -1;
    const long next = 77;
    MPI_Compare_and_swap(&next, &one, &found, MPI_LONG, kTarget, own(0), window_);
    MPI_Win_flush_all(window_);
    CHECK_EQ(found, 1L);
    MPI_Request request;
    MPI_Rget(got_.data(), kLong, MPI_LONG, kTarget, own(0), kLong, MPI_LONG, window_, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(got_[0], 77L);
    CHECK_EQ(got_[kLong - 1], 1L);
    MPI_Win_unlock_all(window_);
  }

  // Every other value, there and back.
  void derived() {
    MPI_Datatype sparse;
    MPI_Type_vector(kLong, 1, 2, MPI_LONG, &sparse);
    MPI_Type_commit(&sparse);
    MPI_Win_lock(MPI_LOCK_SHARED, kTarget, 0, window_);
    MPI_Put(values_.data(), kLong, MPI_LONG, kTarget, own(1), 1, sparse, window_);
    MPI_Win_flush(kTarget, window_);
    MPI_Get(got_.data(), kLong, MPI_LONG, kTarget, own(1), 1, sparse, window_);
    MPI_Win_unlock(kTarget, window_);
    expect(check::rank * 10000L, 1);
    MPI_Type_free(&sparse);
  }

  const Window& window_;
  std::vector<long> values_, ones_, got_;
};

// The target finds what was put there.
void check_target(const Window& window) {
  window.local([&] {
    CHECK_EQ(*reinterpret_cast<const long*>(window.memory() + kCount), 10L * (check::size - 1));
    for (int rank = 1; rank < check::size; ++rank) {
      const long* own = reinterpret_cast<const long*>(window.memory() + part(rank));
      CHECK_EQ(own[0], 77L);
      for (int i = 0; i < kLong; ++i) {
        CHECK_EQ(own[1 + 2 * i], rank * 10000L + i);
        CHECK(i == 0 || 2 * i >= kLong || own[2 * i] == 1);
      }
    }
  });
}

struct Pastime {
  const char* name;
  void (*until_finished)(const Window& window);
};
constexpr Pastime kPastimes[] = {
    {"computes", compute}, {"sleeps in steps", doze}, {"waits for a signal", await_signal}};

// A window of its own: the others' first access is to a target that is away already.
void run(Flavor flavor, const Pastime& pastime, pid_t target) {
  check::set_case("%s, the target %s", name_of(flavor), pastime.name);
  const std::size_t bytes = check::rank == kTarget ? part(check::size) : 0;
  const Window window(flavor, whole_lines(bytes));
  if (check::rank == kTarget) {
    window.local([&] { std::memset(window.memory(), 0, window.bytes()); });
    MPI_Barrier(MPI_COMM_WORLD);
    pastime.until_finished(window);
    check_target(window);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    Origin origin(window);
    origin.operate();
    const bool last = origin.finish() == check::size - 2;
    if (last && pastime.until_finished == await_signal) kill(target, SIGUSR1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  const sigset_t set = user_signal();
  sigprocmask(SIG_BLOCK, &set, nullptr);  // also in threads that MPI starts
  check::start(argc, argv);
  int target = int(getpid());
  MPI_Bcast(&target, 1, MPI_INT, kTarget, MPI_COMM_WORLD);
  for (Flavor flavor : flavors()) {
    for (const Pastime& pastime : kPastimes) run(flavor, pastime, target);
  }
  return check::finish();
}
