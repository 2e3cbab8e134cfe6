// Ranks that exchange packets through a segment while they are stopped, continued and killed at
// random times. The survivors never hang, and they read everything intact that the killed ranks
// had published.
#include <doctest/doctest.h>
#include <signal.h>
#include <time.h>

#include <cstring>
#include <optional>
#include <vector>

#include "shm/segment.h"
#include "shm/testing/child_process.h"
#include "shm/testing/pattern.h"
#include "shm/waiting.h"

namespace atl::shm {
namespace {

using testing::Random;
using testing::SharedObject;
using testing::Watchdog;

constexpr std::uint32_t kRanks = 5;
constexpr std::uint32_t kCredits = 300;  // messages that a rank may send before it receives one

// State of the test outside the segment.
struct Book {
  Shared<std::uint32_t> stop;           // set by the test: no new messages
  Shared<std::uint32_t> dead[kRanks];   // set by the test after it killed the rank
  Shared<std::uint32_t> quiet[kRanks];  // set by a rank: it sends no more
  // By sender and receiver, counted by the sender after it published.
  Shared<std::uint64_t> published[kRanks][kRanks];
};

struct Header {
  std::uint64_t sequence;
  std::uint32_t length;
  std::uint32_t index;
};

void nap(std::uint32_t microseconds) {
  const timespec time{0, static_cast<long>(microseconds) * 1000};
  ::nanosleep(&time, nullptr);
}

// How a rank ended.
enum Ending { fine = 0, no_membarrier, no_ring, broken_record, lost_record };

class Rank {
 public:
  Rank(Segment& segment, Book& book, std::uint32_t me, std::uint64_t seed)
      : segment_(segment), book_(book), me_(me), random_(seed) {}

  int run() {
    if (segment_.fence_mode() == FenceMode::asymmetric && !register_for_membarrier()) {
      return no_membarrier;
    }
    const WaitPolicy policy{.spin_ticks = 0, .yields = random_.below(3), .sleeps = true};
    wait_until(
        segment_.slot(me_).doorbell, segment_.fence_mode(), policy,
        [this](PollMode) { return step(); }, [] {}, [] {});
    return ending_;
  }

 private:
  Step step() {
    if (random_.below(2000) == 0) nap(random_.below(1000));
    const bool received = receive_all();
    const bool sent = send_some();
    if (ending_ != fine || at_end()) return Step::done;
    return received || sent ? Step::worked : Step::idle;
  }

  bool receive_all() {
    bool any = false;
    for (std::uint32_t from = 0; from < kRanks; ++from) {
      auto& consumer = in_[from];
      if (!consumer) {
        Ring* ring = segment_.ring(from, me_);
        if (ring == nullptr) continue;
        consumer.emplace(ring);
      }
      // A few packets from each, so that rings fill up, but at least one, because otherwise the
      // last poll before sleeping would miss packets.
      for (std::uint32_t i = 1 + random_.below(20); i > 0; --i) {
        const Slot* slot = consumer->peek();
        if (slot == nullptr) break;
        take(*consumer, from, *slot);
        any = true;
      }
    }
    return any;
  }

  void take(RingConsumer& consumer, std::uint32_t from, const Slot& slot) {
    Header header;
    std::memcpy(&header, slot.bytes, sizeof header);
    if (header.sequence != received_[from] || header.length > Ring::kMaxFragment ||
        header.index + header.length > Ring::kMostPayload ||
        !testing::is_filled(consumer.payload(header.index, header.length), header.length,
                            header.sequence)) {
      ending_ = broken_record;
      return;
    }
    ++received_[from];
    ++credits_;
    if (consumer.release(header.length)) wake(from);
  }

  bool send_some() {
    bool any = false;
    while (credits_ > 0 && book_.stop.load_acquire() == 0 && send_one()) any = true;
    if (book_.stop.load_acquire() != 0 && book_.quiet[me_].exchange_acq_rel(1) == 0) {
      // Wakes the others, so that they see that this rank sends no more.
      for (std::uint32_t to = 0; to < kRanks; ++to) wake(to);
    }
    return any;
  }

  // False when the receiver's ring is full.
  bool send_one() {
    if (!out_[to_].connected()) {
      Ring* ring = segment_.make_ring(me_, to_);
      if (ring == nullptr) {
        ending_ = no_ring;
        return false;
      }
      out_[to_] = RingProducer(ring);
    }
    const bool dead = book_.dead[to_].load_acquire() != 0;
    std::uint32_t index = 0;
    Slot* slot = dead ? nullptr : out_[to_].claim(length_, index);
    if (slot == nullptr && !dead) return false;
    if (slot != nullptr) publish(slot, index);
    to_ = random_.below(kRanks);
    length_ = random_.below(8) == 0 ? random_.below(Ring::kMaxFragment + 1) : random_.below(100);
    return true;
  }

  void publish(Slot* slot, std::uint32_t index) {
    auto& count = book_.published[me_][to_];
    const std::uint64_t sequence = count.load_relaxed();  // Relaxed: only this rank writes it.
    testing::fill(out_[to_].payload(index), length_, sequence);
    const Header header{sequence, length_, index};
    std::memcpy(slot->bytes, &header, sizeof header);
    out_[to_].publish(slot);
    count.store_release(sequence + 1);
    --credits_;
    wake(to_);
  }

  void wake(std::uint32_t rank) {
    waker_fence(segment_.fence_mode());
    segment_.slot(rank).doorbell.ring();
  }

  // Whether everything published for this rank has arrived, and no more will be published.
  bool at_end() {
    if (book_.stop.load_acquire() == 0) return false;
    for (std::uint32_t from = 0; from < kRanks; ++from) {
      const bool dead = book_.dead[from].load_acquire() != 0;
      if (!dead && book_.quiet[from].load_acquire() == 0) return false;
      const std::uint64_t published = book_.published[from][me_].load_acquire();
      if (in_[from] && in_[from]->peek() != nullptr) return false;
      if (received_[from] < published) {
        // The ring is empty, although more was published.
        if (segment_.ring(from, me_) != nullptr && !in_[from]) return false;
        ending_ = lost_record;
      }
      // A rank may die between publishing and counting.
      if (received_[from] > published + (dead ? 1 : 0)) ending_ = lost_record;
    }
    return true;
  }

  Segment& segment_;
  Book& book_;
  std::uint32_t me_;
  Random random_;
  RingProducer out_[kRanks];
  std::optional<RingConsumer> in_[kRanks];
  std::uint64_t received_[kRanks] = {};
  std::uint32_t credits_ = kCredits;
  std::uint32_t to_ = random_.below(kRanks);
  std::uint32_t length_ = 0;  // of the next message
  int ending_ = fine;
};

// Stops, continues and kills ranks; then lets the survivors finish.
void torment(std::uint64_t seed, std::uint32_t victims) {
  auto made = Segment::create({.size = kRanks});
  REQUIRE(std::holds_alternative<Segment>(made));
  Segment& segment = std::get<Segment>(made);
  SharedObject<Book> book;
  Random random(seed);
  std::vector<pid_t> ranks;
  for (std::uint32_t me = 0; me < kRanks; ++me) {
    ranks.push_back(
        testing::start([&, me] { return Rank(segment, *book, me, seed * kRanks + me).run(); }));
  }
  const auto wake_all = [&] {
    waker_fence(FenceMode::symmetric);  // this process is not registered for membarrier
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) segment.slot(rank).doorbell.ring();
  };
  for (std::uint32_t victim = 0; victim <= victims; ++victim) {
    for (std::uint32_t i = random.below(20); i > 0; --i) {
      const pid_t rank = ranks[victim + random.below(kRanks - victim)];
      ::kill(rank, SIGSTOP);
      nap(random.below(10000));
      ::kill(rank, SIGCONT);
      nap(random.below(10000));
    }
    if (victim == victims) break;
    nap(random.below(3000));
    testing::kill_hard(ranks[victim]);
    CHECK(testing::finish(ranks[victim]) == -SIGKILL);
    book->dead[victim].store_release(1);
    wake_all();
  }
  // More than the initial credits of all ranks; on a slow machine that takes a while.
  const auto enough = [&] {
    std::uint64_t messages = 0;
    for (std::uint32_t rank = victims; rank < kRanks; ++rank) {
      // Relaxed: only the number matters.
      for (const auto& count : book->published[rank]) messages += count.load_relaxed();
    }
    return messages > kCredits;
  };
  while (!enough()) nap(100);
  book->stop.store_release(1);
  wake_all();
  for (std::uint32_t rank = victims; rank < kRanks; ++rank) {
    CHECK(testing::finish(ranks[rank]) == fine);
  }
}

TEST_CASE("ranks that are stopped and continued lose nothing") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    Watchdog watchdog("stopped and continued");
    torment(seed, 0);
  }
}

TEST_CASE("survivors do not hang and read everything that killed ranks had published") {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    CAPTURE(seed);
    Watchdog watchdog("the living outlast the killed");
    torment(seed, 1 + seed % 3);
  }
}

}  // namespace
}  // namespace atl::shm
