// What a command line asks for.
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

// What ranks get of the environment of mpiexec.
struct Inheritance {
  bool all = true;
  std::vector<std::string> names{};  // or else these
};

// The ranks of one program: what stands between two colons.
struct Part {
  int ranks = 0;       // until the whole line is read: 0 = not given
  int most_ranks = 1;  // that were asked for; `soft` may ask for fewer
  std::string soft{};  // numbers that the program can do with (MPI 5.0, 11.8.4); empty: any
  std::string file{};  // that all this was read from; empty: the command line
  std::vector<std::string> command{};
  std::string directory{};    // where the ranks start; empty: where mpiexec was started
  std::string search_path{};  // folders to look for the program in before PATH
  Variables environment{};
  std::optional<Inheritance> inheritance{};  // nothing: that of all parts
};

// Who reads the standard input of mpiexec.
struct InputChoice {
  enum class Kind { one, all, none };
  Kind kind = Kind::one;
  int rank = 0;  // when `one`
};

// How ranks write. Patterns: %r is the rank, %h the host, %p the pid of mpiexec.
struct OutputChoice {
  std::string label;         // a pattern in front of each line
  bool time = false;         // each line says when it came
  bool merge = false;        // lines that ranks have in common come once
  std::string output_files;  // patterns of names; empty: to the output of mpiexec
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
  bool counted = false;             // the number of ranks was given
  int ranks_per_node = 0;           // 0 = not given
  std::uint32_t universe_size = 0;  // 0 = as many as the job may use processing units
  Variables environment{};          // of all ranks
  Inheritance inheritance{};        // of all parts that have no other
  bool ompi_variables = false;      // OMPI_COMM_WORLD_RANK and the like are set too
  PlacementOptions placement{};
  std::string topology{};  // of the machine, as read_machine() has it; empty: nothing is said
  bool report_bindings = false;
  bool dry_run = false;       // says where ranks would be placed, and starts none
  std::vector<Wrap> wraps{};  // the first is the outermost

  InputChoice input{};
  OutputChoice output{};

  double timeout = 0;          // seconds, 0 = none
  bool keep_deadlock = false;  // a deadlock is told of, but does not end the job
  bool keep_going = false;     // a rank that fails does not end the job
  bool print_exit_codes = false;
  std::optional<RankSet> waits_at_init{};  // for a debugger
  bool debug = false;                      // which they get
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
