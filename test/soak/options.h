// The options of the program.
#pragma once

#include <cstdint>
#include <vector>

namespace soak {

struct Options {
  std::uint64_t seed = 0;  // 0: another one each time
  long from = 0;           // the first round
  long rounds = -1;        // -1: as long as `seconds` say
  double seconds = 10;
  int threads = 0;           // 0: one thread, and MPI_THREAD_SINGLE
  bool memory = false;       // memory that grows is a failure
  std::vector<int> weights;  // of kinds()
};

// Ends the process with a message when they are wrong.
Options parse(int argc, char** argv);

}  // namespace soak
