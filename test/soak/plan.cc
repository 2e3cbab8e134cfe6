#include "test/soak/plan.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "test/check.h"
#include "test/soak/completion.h"
#include "test/soak/where.h"

namespace soak {
namespace {

constexpr int kMostOpen = 24;             // operations under way at once
constexpr int kMostCommunicators = 24;    // alive at once
constexpr std::size_t kBytes = 10 << 20;  // of messages in a round
constexpr std::size_t kBuffered = 512 * 1024;

// Few operations where each takes long because there are many ranks.
int draw_operations(check::Random& random, int size) {
  const std::uint64_t most = size <= 8 ? 60 : size <= 16 ? 40 : 24;
  return 1 + int(random.below(most));
}

// Now and then a rank does something else for a while, and what is sent to it waits.
void come_late(check::Random& own) {
  if (!own.one_in(64)) return;
  constexpr std::uint64_t kLongest = 3000;
  std::this_thread::sleep_for(std::chrono::microseconds(own.below(kLongest)));
}

const Kind& draw_kind(check::Random& random, const std::vector<int>& weights) {
  int sum = 0;
  for (int weight : weights) sum += weight;
  int at = int(random.below(std::uint64_t(sum)));
  std::size_t kind = 0;
  while (at >= weights[kind]) at -= weights[kind++];
  return kinds()[kind];
}

}  // namespace

int Draw::any() const {
  std::vector<int> found;
  for (std::size_t i = 0; i < communities.size(); ++i) {
    if (communities[i].alive) found.push_back(int(i));
  }
  return found.empty() ? -1 : found[random.below(found.size())];
}

int Draw::for_messages() const {
  const int found = any();
  return found >= 0 && communities[std::size_t(found)].claimed ? -1 : found;
}

Plan::Plan(const Wanted& wanted, long round, MPI_Comm base, int size, int self) {
  check::Random random((wanted.seed * 1000003 + std::uint64_t(round)) * kMostThreads +
                       std::uint64_t(wanted.thread));
  Community all;
  for (int rank = 0; rank < size; ++rank) all.sides[0].push_back(rank);
  all.comm = base;
  all.alive = true;
  all.locate(self);
  communities_.push_back(std::move(all));
  std::size_t bytes = kBytes, buffered = kBuffered;
  Draw draw{random, communities_, self, 0, round, bytes, buffered};
  draw_entries(draw, wanted, draw_operations(random, size));
}

void Plan::draw_entries(Draw& draw, const Wanted& wanted, int operations) {
  check::Random& random = draw.random;
  while (draw.number < operations) {
    switch (random.below(10)) {
      case 0: complete_some(random, random.one_in(4)); break;
      case 1: free_one(random, false); break;
      case 2:
      case 3:
      case 4:
      case 5: advance(random); break;
      default:
        if (std::ranges::count(states_, false, &State::complete) < kMostOpen) begin(draw, wanted);
        break;
    }
  }
  while (advance(random)) {
    if (random.one_in(8)) complete_some(random, false);
  }
  while (complete_some(random, random.one_in(2))) {
    if (random.one_in(4)) free_one(random, false);
  }
  while (free_one(random, true)) {
  }
}

bool Plan::begin(Draw& draw, const Wanted& wanted) {
  const Kind& kind = draw_kind(draw.random, wanted.weights);
  auto operation = kind.draw(draw);
  ++draw.number;
  if (operation == nullptr) return false;
  for (int i : operation->uses()) {
    ++draw.at(i).users;
    ++draw.at(i).open;
  }
  operations_.push_back(std::move(operation));
  states_.push_back({&kind});
  return true;
}

// One step of any operation that has one.
bool Plan::advance(check::Random& random) {
  std::vector<int> found;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i].next < operations_[i]->steps()) found.push_back(int(i));
  }
  if (found.empty()) return false;
  const int index = found[random.below(found.size())];
  State& state = states_[std::size_t(index)];
  const Operation& operation = *operations_[std::size_t(index)];
  entries_.push_back({Entry::What::step, {index}, state.next});
  if (++state.next == operation.steps()) {
    for (int i : operation.uses()) --communities_[std::size_t(i)].users;
  }
  return true;
}

bool Plan::open(std::size_t operation) const {
  return !states_[operation].complete && states_[operation].next == operations_[operation]->steps();
}

// Some of those whose steps are done, together.
bool Plan::complete_some(check::Random& random, bool all) {
  std::vector<int> found;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (open(i)) found.push_back(int(i));
  }
  if (found.empty()) return false;
  const std::size_t wanted =
      all ? found.size() : 1 + random.below(std::min<std::size_t>(found.size(), 5));
  while (found.size() > wanted) found.erase(found.begin() + long(random.below(found.size())));
  for (int index : found) {
    const Operation& operation = *operations_[std::size_t(index)];
    states_[std::size_t(index)].complete = true;
    for (int i : operation.uses()) --communities_[std::size_t(i)].open;
    for (int i : operation.makes()) communities_[std::size_t(i)].alive = true;
  }
  entries_.push_back({Entry::What::completion, std::move(found), 0});
  return true;
}

// A communicator that no step to come uses; what is under way on it may still be.
bool Plan::free_one(check::Random& random, bool all) {
  std::vector<int> found;
  for (std::size_t i = 1; i < communities_.size(); ++i) {
    if (communities_[i].alive && communities_[i].users == 0) found.push_back(int(i));
  }
  const bool few = found.size() < kMostCommunicators;
  if (found.empty() || (!all && few && random.one_in(2))) return false;
  const int index = found[random.below(found.size())];
  Community& community = communities_[std::size_t(index)];
  community.alive = false;
  // A communicator is disconnected when nothing is under way on it.
  const int disconnects = community.open == 0 && random.one_in(4);
  entries_.push_back({Entry::What::freeing, {index}, disconnects});
  return true;
}

int Plan::play(check::Random& own) {
  for (const Entry& entry : entries_) {
    come_late(own);
    const int first = entry.of.front();
    if (entry.what == Entry::What::step) {
      set_operation(first, states_[std::size_t(first)].kind->name, entry.step);
      operations_[std::size_t(first)]->step(entry.step, own);
    } else if (entry.what == Entry::What::completion) {
      play_completion(entry, own);
    } else {
      play_freeing(entry, own);
    }
  }
  return int(operations_.size());
}

void Plan::play_completion(const Entry& entry, check::Random& own) {
  std::vector<Pending> pending;
  for (int i : entry.of) operations_[std::size_t(i)]->collect(pending);
  const int first = entry.of.front();
  set_operation(first, states_[std::size_t(first)].kind->name, -1);
  complete(pending, own);
  for (int i : entry.of) {
    set_operation(i, states_[std::size_t(i)].kind->name, -1);
    operations_[std::size_t(i)]->finish();
  }
}

void Plan::play_freeing(const Entry& entry, check::Random&) {
  Community& community = communities_[std::size_t(entry.of.front())];
  if (!community.member()) return;
  set_operation(entry.of.front(),
                entry.step ? "communicator is disconnected" : "communicator is freed", 0);
  (entry.step ? MPI_Comm_disconnect : MPI_Comm_free)(&community.comm);
}

}  // namespace soak
