// What a command line asks for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "launcher/placement.h"

namespace atl::launcher {

using Variables = std::vector<std::pair<std::string, std::string>>;  // names and values

// The ranks of one program: what stands between two colons.
struct Part {
  int ranks = 1;
  int most_ranks = 1;  // that were asked for; `soft` may ask for fewer
  std::string soft;    // numbers that the program can do with (MPI 5.0, 11.8.4); empty: any
  std::string file;    // that all this was read from; empty: the command line
  std::vector<std::string> command;
  std::string directory;    // where the ranks start; empty: where mpiexec was started
  std::string search_path;  // folders to look for the program in before PATH
  Variables environment;
};

// Who reads the standard input of mpiexec.
struct InputChoice {
  enum class Kind { one, all, none };
  Kind kind = Kind::one;
  int rank = 0;  // when `one`
};

struct Plan {
  enum class Action { run, help, version, manual };
  Action action = Action::run;

  std::vector<Part> parts;
  Variables environment;  // of all ranks
  PlacementOptions placement;
  bool report_bindings = false;

  InputChoice input;
  bool label_output = false;
  std::string output_files;  // base of the names; empty: to the output of mpiexec

  double timeout = 0;          // seconds, 0 = none
  bool keep_deadlock = false;  // a deadlock is told of, but does not end the job
  bool verbose = false;

  std::int64_t ranks() const {
    std::int64_t sum = 0;
    for (const Part& part : parts) sum += part.ranks;
    return sum;
  }
};

// Far above what a node can use; keeps the sizes that grow with its square sane.
inline constexpr int kMostRanks = 4096;

}  // namespace atl::launcher
