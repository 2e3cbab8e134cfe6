// The parsed command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launcher/base/rank_set.h"
#include "launcher/placement/placement.h"

namespace atl::launcher {

using Variables = std::vector<std::pair<std::string, std::string>>;  // names and values

// Which variables of mpiexec's environment the ranks get.
struct Inheritance {
  bool all = true;
  std::vector<std::string> names{};  // if not `all`
};

// The ranks of one program: the words between two colons.
struct Part {
  int ranks = 0;       // 0 = not given, until the whole line is read
  int most_ranks = 1;  // requested; `soft` may allow fewer
  std::string soft{};  // numbers of ranks that the program accepts (MPI 5.0, 11.8.4); empty: any
  std::string file{};  // the file that this part was read from; empty: the command line
  std::vector<std::string> command{};
  std::string directory{};    // where the ranks start; empty: where mpiexec was started
  std::string search_path{};  // folders that are searched for the program before PATH
  Variables environment{};
  std::optional<Inheritance> inheritance{};  // nothing: Plan::inheritance
};

// Which ranks read the standard input of mpiexec.
struct InputChoice {
  enum class Kind { one, all, none };
  Kind kind = Kind::one;
  int rank = 0;  // when `one`
};

// How ranks write. Patterns: %r is the rank, %h the host, %p the pid of mpiexec.
struct OutputChoice {
  std::string label;         // a pattern in front of each line
  bool time = false;         // each line starts with the time of its arrival
  bool merge = false;        // lines that ranks have in common are printed once
  std::string output_files;  // patterns of file names; empty: the output of mpiexec
  std::string error_files;
};

// A command that starts some of the ranks.
struct Wrap {
  std::vector<std::string> command;
  RankSet ranks;
};

struct Plan {
  enum class Action { run, help, version, manual, information };
  Action action = Action::run;

  std::vector<Part> parts{};
  bool counted = false;             // the user gave the number of ranks
  int ranks_per_node = 0;           // 0 = not given
  std::uint32_t universe_size = 0;  // 0 = the number of processing units that the job may use
  Variables environment{};          // of all ranks
  Inheritance inheritance{};        // of all parts without their own
  bool ompi_variables = false;      // also set OMPI_COMM_WORLD_RANK and similar variables
  PlacementOptions placement{};
  std::string topology{};  // description for read_machine(); empty: not given
  bool report_bindings = false;
  bool dry_run = false;       // print where ranks would be placed, and start none
  std::vector<Wrap> wraps{};  // the first is the outermost

  InputChoice input{};
  OutputChoice output{};

  double timeout = 0;          // seconds, 0 = none
  bool keep_deadlock = false;  // a deadlock is reported, but does not end the job
  bool keep_going = false;     // a rank that fails does not end the job
  bool print_exit_codes = false;
  std::optional<RankSet> waits_at_init{};  // for a debugger
  bool debug = false;                      // start debuggers for these ranks
  bool verbose = false;

  std::int64_t ranks() const {
    std::int64_t sum = 0;
    for (const Part& part : parts) sum += part.ranks;
    return sum;
  }
};

// Far above what a node can use; bounds sizes that grow with the square of the ranks.
inline constexpr int kMostRanks = 4096;

}  // namespace atl::launcher
