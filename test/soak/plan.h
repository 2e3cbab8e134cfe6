// What all ranks do in a round: operations, and one order of their steps that all keep to.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "test/soak/operation.h"

namespace soak {

// Which plans are drawn.
struct Wanted {
  std::uint64_t seed = 1;
  int thread = 0;            // threads have plans of their own
  std::vector<int> weights;  // of kinds()
};

class Plan {
 public:
  // `base` has all ranks 0 to `size` - 1, of which this process is `self`.
  Plan(const Wanted& wanted, long round, MPI_Comm base, int size, int self);

  // This process's part, with its own choices. Returns how many operations there were.
  int play(check::Random& own);

 private:
  struct Entry {
    enum class What { step, completion, freeing } what;
    std::vector<int> of;  // operations, or one communicator
    int step;
  };
  struct State {  // of an operation while the plan is drawn
    const Kind* kind = nullptr;
    int next = 0;  // step
    bool complete = false;
  };

  void draw_entries(Draw& draw, const Wanted& wanted, int operations);
  bool begin(Draw& draw, const Wanted& wanted);
  bool advance(check::Random& random);
  bool complete_some(check::Random& random, bool all);
  bool free_one(check::Random& random, bool all);
  bool open(std::size_t operation) const;
  void play_completion(const Entry& entry, check::Random& own);
  void play_freeing(const Entry& entry, check::Random& own);

  std::deque<Community> communities_;  // the first is the base
  std::vector<std::unique_ptr<Operation>> operations_;
  std::vector<State> states_;
  std::vector<Entry> entries_;
};

}  // namespace soak
