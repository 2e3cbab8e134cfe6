// Memory that a job holds, over a long run: it must not grow.
#pragma once

#include <vector>

namespace soak {

// What this process and its job hold at one moment, in KiB.
struct Held {
  long own = 0;  // resident memory that no other process has
  long job = 0;  // of the job's shared memory, in pages; -1 where it cannot be seen
};
Held held_now();

// Before the first allocation of a run that is looked at: all threads take their memory from one
// place, as those places (arenas of malloc) are never given back, nor filled evenly.
void take_memory_from_one_place();

// Between the rounds one figure for all ranks is noted: the most that a rank holds, and what
// the job's shared memory holds.
class MemoryLog {
 public:
  // Called by all ranks.
  void note();
  // At rank 0, a line with the figures of the middle and of the end. False when the second is
  // higher than the first by more than rounds differ.
  bool report() const;

 private:
  std::vector<Held> held_;
};

}  // namespace soak
