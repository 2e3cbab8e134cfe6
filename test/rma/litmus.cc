// Litmus tests of what other processes see, and in which order: after a flush (store buffering,
// message passing), of one location (coherence), and of accumulates of one origin to one target
// (MPI 5.0, 12.7.2). Two ranks each, with random delays, for many rounds.
#include <sched.h>

#include <vector>

#include "test/pattern.h"
#include "test/rma/windows.h"
#include "test/seed.h"

namespace {

using namespace rma;

constexpr std::size_t kFlag = 0;  // bytes
constexpr std::size_t kLeft = 64, kRight = 128;
constexpr std::size_t kData = 256;  // as many longs as kLong
constexpr int kLong = 600;
constexpr std::size_t kSize = kData + kLong * sizeof(long) + 64;

// Two ranks that do the same, or one for the other; a rank without partner is its own.
struct Pair {
  int own = check::rank;
  int other = (check::rank ^ 1) < check::size ? check::rank ^ 1 : check::rank;
  bool first = check::rank % 2 == 0;
  bool alone = other == own;
};

int rounds() { return check::size <= 2 ? 200 : check::size <= 4 ? 100 : 40; }

void delay(check::Random& random) {
  for (std::size_t i = random.size(2000); i > 0; --i) asm volatile("");
}

// Both partners have come here.
void meet(const Pair& pair, void* out = nullptr, void* in = nullptr, int longs = 0) {
  MPI_Sendrecv(out, longs, MPI_LONG, pair.other, 1, in, longs, MPI_LONG, pair.other, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// --- ways to store and to load a value ---

struct Access {
  const char* name;
  void (*store)(const Window& window, int target, std::size_t place, long value);
  long (*load)(const Window& window, int target, std::size_t place);
};

void store_by_put(const Window& window, int target, std::size_t place, long value) {
  MPI_Put(&value, 1, MPI_LONG, target, window.at(target, place), 1, MPI_LONG, window);
  MPI_Win_flush(target, window);
}
long load_by_get(const Window& window, int target, std::size_t place) {
  long value = -1;
  MPI_Get(&value, 1, MPI_LONG, target, window.at(target, place), 1, MPI_LONG, window);
  MPI_Win_flush(target, window);
  return value;
}

void store_by_accumulate(const Window& window, int target, std::size_t place, long value) {
  MPI_Accumulate(&value, 1, MPI_LONG, target, window.at(target, place), 1, MPI_LONG, MPI_REPLACE,
                 window);
  MPI_Win_flush(target, window);
}
long load_by_fetch(const Window& window, int target, std::size_t place) {
  long value = -1;
  MPI_Fetch_and_op(nullptr, &value, MPI_LONG, target, window.at(target, place), MPI_NO_OP, window);
  MPI_Win_flush(target, window);
  return value;
}

void store_by_request(const Window& window, int target, std::size_t place, long value) {
  MPI_Request request;
  MPI_Rput(&value, 1, MPI_LONG, target, window.at(target, place), 1, MPI_LONG, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush_all(window);
}
long load_by_request(const Window& window, int target, std::size_t place) {
  long value = -1;
  MPI_Request request;
  MPI_Rget(&value, 1, MPI_LONG, target, window.at(target, place), 1, MPI_LONG, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return value;
}

void store_by_swap(const Window& window, int target, std::size_t place, long value) {
  long found = -1;
  MPI_Fetch_and_op(&value, &found, MPI_LONG, target, window.at(target, place), MPI_REPLACE, window);
  MPI_Win_flush(target, window);
}
long load_by_compare(const Window& window, int target, std::size_t place) {
  const long never = -7;
  long value = -1;
  MPI_Compare_and_swap(&never, &never, &value, MPI_LONG, target, window.at(target, place), window);
  MPI_Win_flush(target, window);
  return value;
}

constexpr Access kAccesses[] = {{"put and get", store_by_put, load_by_get},
                                {"accumulate and fetch", store_by_accumulate, load_by_fetch},
                                {"rput and rget", store_by_request, load_by_request},
                                {"replace and compare", store_by_swap, load_by_compare}};

// Until the value is there; the other one may need the core.
long await(const Window& window, const Access& access, int target, std::size_t place, long wanted) {
  long value = access.load(window, target, place);
  while (value < wanted) {
    sched_yield();
    help_other_mpi();
    value = access.load(window, target, place);
  }
  return value;
}

// --- the tests ---

// Each stores to one location and then loads the other's: not both load what was there before.
void store_buffering(const Window& window, const Access& access, int way, check::Random& random) {
  const Pair pair;
  if (pair.alone) return;
  // Both locations at one's own memory, at the other's, or one beside the other.
  const int stored = way == 0 ? pair.own : way == 1 ? pair.other : pair.own & ~1;
  const int loaded = way == 0 ? pair.other : way == 1 ? pair.own : pair.own & ~1;
  const std::size_t here = pair.first ? kLeft : kRight;
  const std::size_t there = pair.first ? kRight : kLeft;
  for (long i = 1; i <= rounds(); ++i) {
    meet(pair);
    delay(random);
    access.store(window, stored, here, i);
    long own = access.load(window, loaded, there), others = -1;
    meet(pair, &own, &others, 1);
    CHECK(own == i || own == i - 1);
    CHECK(own == i || others == i);
  }
  meet(pair);
  access.store(window, stored, here, 0);
  meet(pair);
}

// One stores data and then a flag; who sees the flag sees the data, by calls.
void message_passing(const Window& window, const Access& access, int at, check::Random& random) {
  const Pair pair;
  if (pair.alone) return;
  const int place = (pair.own & ~1) + at;  // whose memory it is
  for (long i = 1; i <= rounds(); ++i) {
    std::vector<long> data(kLong, i);
    if (pair.first) {
      delay(random);
      MPI_Put(data.data(), kLong, MPI_LONG, place, window.at(place, kData), kLong, MPI_LONG,
              window);
      MPI_Win_flush(place, window);
      access.store(window, place, kFlag, i);
    } else {
      CHECK_EQ(await(window, access, place, kFlag, i), i);
      MPI_Get(data.data(), kLong, MPI_LONG, place, window.at(place, kData), kLong, MPI_LONG,
              window);
      MPI_Win_flush(place, window);
      for (long value : data) CHECK_EQ(value, i);
    }
    meet(pair);
  }
  if (pair.first) access.store(window, place, kFlag, 0);
  meet(pair);
}

// The same, while the other one only loads from its memory.
void message_to_memory(const Window& window, const Access& access, check::Random& random) {
  const Pair pair;
  if (pair.alone) return;
  volatile long* flag = reinterpret_cast<long*>(window.memory() + kFlag);
  const long* data = reinterpret_cast<const long*>(window.memory() + kData);
  for (long i = 1; i <= rounds(); ++i) {
    if (pair.first) {
      const std::vector<long> values(kLong, i);
      delay(random);
      MPI_Put(values.data(), kLong, MPI_LONG, pair.other, window.at(pair.other, kData), kLong,
              MPI_LONG, window);
      MPI_Win_flush(pair.other, window);
      access.store(window, pair.other, kFlag, i);
    } else {
      while (*flag < i) {
        sched_yield();
        help_other_mpi();
      }
      MPI_Win_sync(window);
      for (int k = 0; k < kLong; ++k) CHECK_EQ(data[k], i);
    }
    meet(pair);
  }
  if (pair.first) access.store(window, pair.other, kFlag, 0);
  meet(pair);
}

// One location never goes back.
void coherence(const Window& window, const Access& access, check::Random& random) {
  const Pair pair;
  if (pair.alone) return;
  const long last = rounds() * 4L;
  const int place = pair.own & ~1;
  if (pair.first) {
    for (long i = 1; i <= last; ++i) {
      if (i % 16 == 0) delay(random);
      access.store(window, place, kFlag, i);
    }
  } else {
    for (long seen = 0; seen < last;) {
      const long now = access.load(window, place, kFlag);
      CHECK(now >= seen && now <= last);
      if (now == seen) sched_yield();
      help_other_mpi();
      seen = now;
    }
  }
  meet(pair);
  if (pair.first) access.store(window, place, kFlag, 0);
  meet(pair);
}

// Accumulates of one origin to the same values of a target, with no flush between them, happen in
// the order of the calls, whether they read, write or do both, and however long they are.
void accumulate_order(const Window& window, check::Random& random) {
  constexpr int kOperations = 12;
  const int target = Pair().other;
  // The longest share the target's memory with the partner's: each has half of the values.
  const int half = kLong / 2, begin = check::rank % 2 * half;
  const auto disp = [&](int value) {
    return window.at(target, kData + std::size_t(begin + value) * sizeof(long));
  };
  std::vector<long> expected(std::size_t(half), 0);
  MPI_Accumulate(expected.data(), half, MPI_LONG, target, disp(0), half, MPI_LONG, MPI_REPLACE,
                 window);
  for (int i = 0; i < rounds(); ++i) {
    std::vector<std::vector<long>> given, got, wanted;  // of each operation
    given.reserve(kOperations), got.reserve(kOperations);
    for (int k = 0; k < kOperations; ++k) {
      const int first = int(random.below(8));
      const int count = random.one_in(3) ? int(random.below(half - 8)) : 1 + int(random.below(3));
      const MPI_Op ops[] = {MPI_REPLACE, MPI_SUM, MPI_MAX, MPI_NO_OP};
      const MPI_Op op = ops[random.below(4)];
      std::vector<long>& values = given.emplace_back(count);
      for (long& value : values) value = long(random.below(1000));
      wanted.emplace_back(expected.begin() + first, expected.begin() + first + count);
      for (int j = 0; j < count && op != MPI_NO_OP; ++j) {
        long& there = expected[std::size_t(first + j)];
        const long with = values[std::size_t(j)];
        there = op == MPI_REPLACE ? with : op == MPI_SUM ? there + with : std::max(there, with);
      }
      if (op != MPI_NO_OP && random.one_in(2)) {
        MPI_Accumulate(values.data(), count, MPI_LONG, target, disp(first), count, MPI_LONG, op,
                       window);
        got.push_back(wanted.back());
      } else if (count == 1) {
        got.emplace_back(1, -1L);
        MPI_Fetch_and_op(values.data(), got.back().data(), MPI_LONG, target, disp(first), op,
                         window);
      } else {
        got.emplace_back(count, -1L);
        MPI_Get_accumulate(values.data(), count, MPI_LONG, got.back().data(), count, MPI_LONG,
                           target, disp(first), count, MPI_LONG, op, window);
      }
    }
    MPI_Win_flush(target, window);
    CHECK(got == wanted);
  }
}

void run(Flavor flavor, check::Random& random, unsigned seed) {
  const Window window(flavor, whole_lines(kSize));
  window.local([&] { std::memset(window.memory(), 0, window.bytes()); });
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  for (const Access& access : kAccesses) {
    check::set_case("SEED=%u: %s, %s", seed, name_of(flavor), access.name);
    if (access.load == load_by_compare && std::getenv("NO_SWAP") != nullptr) continue;
    for (int way : {0, 1, 2}) store_buffering(window, access, way, random);
    for (int at : {0, 1}) message_passing(window, access, at, random);
    message_to_memory(window, access, random);
    coherence(window, access, random);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  check::set_case("SEED=%u: %s, order of accumulates", seed, name_of(flavor));
  accumulate_order(window, random);
  MPI_Win_unlock_all(window);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  check::Random random(seed + std::uint64_t(check::rank) * 1000);
  for (Flavor flavor : flavors()) run(flavor, random, seed);
  return check::finish();
}
