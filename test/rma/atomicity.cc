// Accumulates of all ranks on one location, of every kind at once: short and long ones, fetching
// and swapping ones, under shared and exclusive locks. Each adds one, so that the sum says how
// many there were, and no value is fetched twice (MPI 5.0, 12.7.1).
#include <algorithm>
#include <vector>

#include "test/pattern.h"
#include "test/rma/windows.h"
#include "test/seed.h"

namespace {

using namespace rma;

constexpr int kLong = 700;  // values of a long accumulate
constexpr int kHot = 333;   // the one that all accumulate to
constexpr int kBytes = 16;  // one beside the other, as many ranks accumulate to each
constexpr std::size_t kTorn = std::size_t(kLong) * 8 + 4;  // place of a value that is misaligned
constexpr std::size_t kWide = kTorn + 12;                  // of a long double
constexpr std::size_t kNarrow = kWide + 16;                // of bytes
constexpr std::size_t kSize = kNarrow + 64;
static_assert(kWide % 16 == 0);

enum class Kind { fetch, add, add_all, get_add, get_add_all, swap, torn, wide, narrow, count };

int rounds() { return check::size <= 4 ? 400 : 1600 / check::size; }

// The values that this rank fetched at one place, and how often it added there.
struct Tally {
  std::vector<long> fetched;
  long added = 0;

  void add(long value) {
    fetched.push_back(value);
    ++added;
  }
};

struct Tallies {
  Tally hot, cold, torn, wide;
  long narrow[kBytes] = {};
};

// One rank's operations on the memory of rank 0.
class Origin {
 public:
  explicit Origin(const Window& window) : window_(window), ones_(kLong, 1), got_(kLong) {}

  void operate(Kind kind, Tallies& tallies) {
    switch (kind) {
      case Kind::fetch: return tallies.hot.add(fetch(MPI_LONG, hot(), 1L));
      case Kind::add:
        ++tallies.hot.added;
        accumulate(1, kHot);
        return;
      case Kind::add_all:
        ++tallies.hot.added;
        ++tallies.cold.added;
        accumulate(kLong, 0);
        return;
      case Kind::get_add: return tallies.hot.add(get_accumulate(1, kHot)[0]);
      case Kind::get_add_all:
        get_accumulate(kLong, 0);
        tallies.hot.add(got_[kHot]);
        tallies.cold.add(got_[0]);
        return;
      case Kind::swap: return tallies.hot.add(swap());
      case Kind::torn: return tallies.torn.add(fetch(MPI_LONG, kTorn, 1L));
      case Kind::wide: return tallies.wide.add(long(fetch(MPI_LONG_DOUBLE, kWide, 1.0L)));
      case Kind::narrow: return narrow(tallies);
      case Kind::count: return;
    }
  }

 private:
  static std::size_t hot() { return sizeof(long) * kHot; }

  template <class T>
  T fetch(MPI_Datatype type, std::size_t place, T one) {
    T found{};
    MPI_Fetch_and_op(&one, &found, type, 0, window_.at(0, place), MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return found;
  }

  void accumulate(int count, int first) {
    MPI_Accumulate(ones_.data(), count, MPI_LONG, 0, window_.at(0, sizeof(long) * first), count,
                   MPI_LONG, MPI_SUM, window_);
  }

  const std::vector<long>& get_accumulate(int count, int first) {
    MPI_Get_accumulate(ones_.data(), count, MPI_LONG, got_.data(), count, MPI_LONG, 0,
                       window_.at(0, sizeof(long) * first), count, MPI_LONG, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return got_;
  }

  // Until nobody came between the reading and the swap.
  long swap() {
    long expected = 0;
    MPI_Fetch_and_op(nullptr, &expected, MPI_LONG, 0, window_.at(0, hot()), MPI_NO_OP, window_);
    MPI_Win_flush(0, window_);
    for (;;) {
      const long next = expected + 1;
      long found = -1;
      MPI_Compare_and_swap(&next, &expected, &found, MPI_LONG, 0, window_.at(0, hot()), window_);
      MPI_Win_flush(0, window_);
      if (found == expected) return found;
      CHECK(found > expected);
      expected = found;
    }
  }

  // Two bytes of different words and neighbours of what others add to.
  void narrow(Tallies& tallies) {
    static const unsigned char one[] = {1, 1};
    const int first = turn_++ % (kBytes - 1);
    MPI_Accumulate(one, 2, MPI_UNSIGNED_CHAR, 0, window_.at(0, kNarrow + std::size_t(first)), 2,
                   MPI_UNSIGNED_CHAR, MPI_SUM, window_);
    ++tallies.narrow[first];
    ++tallies.narrow[first + 1];
  }

  const Window& window_;
  std::vector<long> ones_, got_;
  int turn_ = check::rank;
};

// At rank 0: what all ranks fetched is different, and between 0 and the sum.
void check_tally(const Tally& own, long sum, const char* what) {
  for (std::size_t i = 1; i < own.fetched.size(); ++i) {
    CHECK(own.fetched[i - 1] < own.fetched[i]);  // in the order of the calls
  }
  long added = 0;
  MPI_Reduce(&own.added, &added, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  const int count = int(own.fetched.size());
  std::vector<int> counts(check::size), places(check::size);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 1; i < check::size; ++i) places[i] = places[i - 1] + counts[i - 1];
  std::vector<long> all(std::size_t(places.back() + counts.back()));
  MPI_Gatherv(own.fetched.data(), count, MPI_LONG, all.data(), counts.data(), places.data(),
              MPI_LONG, 0, MPI_COMM_WORLD);
  if (check::rank != 0) return;
  if (sum != added) {
    check::fail(__FILE__, __LINE__,
                std::string(what) + ": the sum is " + std::to_string(sum) + " after " +
                    std::to_string(added) + " additions");
  }
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  CHECK(all.empty() || (all.front() >= 0 && all.back() < sum));
}

void check_all(const Window& window, const Tallies& tallies) {
  MPI_Barrier(MPI_COMM_WORLD);
  long hot = 0, cold = 0, torn = 0, wide = 0;
  unsigned char narrow[kBytes] = {};
  if (check::rank == 0) {
    window.local([&] {
      const long* values = window.as<long>();
      hot = values[kHot];
      cold = values[0];
      for (int i = 0; i < kLong; ++i) CHECK(i == kHot || values[i] == cold);
      std::memcpy(&torn, window.memory() + kTorn, sizeof torn);
      long double found = 0;
      std::memcpy(&found, window.memory() + kWide, 10);
      wide = long(found);
      std::memcpy(narrow, window.memory() + kNarrow, kBytes);
    });
  }
  check_tally(tallies.hot, hot, "the location of all");
  check_tally(tallies.cold, cold, "a location of long accumulates");
  check_tally(tallies.torn, torn, "a misaligned location");
  check_tally(tallies.wide, wide, "a long double");
  long all[kBytes];
  MPI_Reduce(tallies.narrow, all, kBytes, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; check::rank == 0 && i < kBytes; ++i) {
    CHECK_EQ(int(narrow[i]), int(all[i] & 255));
  }
}

// Short ones alone, long ones now and then, and all kinds alike: how accumulates exclude each
// other may depend on it.
Kind draw(check::Random& random, int mixture) {
  if (mixture == 0) return random.one_in(2) ? Kind::fetch : Kind::swap;
  if (mixture == 1 && !random.one_in(32)) return random.one_in(2) ? Kind::fetch : Kind::add;
  return Kind(random.below(int(Kind::count)));
}

void clear(const Window& window) {
  window.local([&] {
    std::fill_n(window.memory(), window.bytes(), std::byte{0});
    const long double zero = 0;
    std::memcpy(window.memory() + kWide, &zero, sizeof zero);
  });
  MPI_Barrier(MPI_COMM_WORLD);
}

void under_lock_all(const Window& window, int mixture, check::Random& random) {
  clear(window);
  Tallies tallies;
  Origin origin(window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < rounds(); ++i) origin.operate(draw(random, mixture), tallies);
  MPI_Win_unlock_all(window);
  check_all(window, tallies);
}

// Epochs under exclusive locks between those under shared ones.
void under_locks(const Window& window, check::Random& random) {
  clear(window);
  Tallies tallies;
  Origin origin(window);
  for (int i = 0; i < rounds() / 4; ++i) {
    MPI_Win_lock(random.one_in(2) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, window);
    for (int j = 0; j < 3; ++j) origin.operate(draw(random, 2), tallies);
    MPI_Win_unlock(0, window);
  }
  check_all(window, tallies);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  check::Random random(seed + std::uint64_t(check::rank) * 1000);
  for (Flavor flavor : flavors()) {
    const Window window(flavor, whole_lines(kSize));
    for (int mixture : {0, 1, 2}) {
      check::set_case("SEED=%u: %s, lock_all, mixture %d", seed, name_of(flavor), mixture);
      under_lock_all(window, mixture, random);
    }
    check::set_case("SEED=%u: %s, locks", seed, name_of(flavor));
    under_locks(window, random);
  }
  return check::finish();
}
