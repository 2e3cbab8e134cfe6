#include "test/soak/options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "test/soak/operation.h"
#include "test/soak/where.h"

namespace soak {
namespace {

constexpr const char* kUsage =
    "soak [--seed=N] [--from=ROUND] [--rounds=N | --seconds=N] [--threads=N] [--memory]\n"
    "     [--only=KIND,KIND...] [--without=KIND,KIND...]\n"
    "Runs random programs. A failure names the seed and the round; --seed, --from and\n"
    "--rounds=1 repeat it. The kinds of operations are:";

[[noreturn]] void usage(const char* what) {
  std::fprintf(stderr, "soak: %s\n%s", what, kUsage);
  for (const Kind& kind : kinds()) std::fprintf(stderr, " %s", kind.name);
  std::fprintf(stderr, "\n");
  std::exit(2);
}

// The weights of those that are named, or of the others.
void select(std::vector<int>& weights, const char* names, bool named) {
  std::vector<bool> found(weights.size());
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    std::size_t kind = 0;
    while (kind < kinds().size() && name != kinds()[kind].name) ++kind;
    if (kind == kinds().size()) usage(("there is no kind " + name).c_str());
    found[kind] = true;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (found[i] != named) weights[i] = 0;
  }
}

// What stands behind "--name=", or null.
const char* value_of(const char* argument, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

void parse_one(Options& options, const char* argument) {
  if (const char* seed = value_of(argument, "--seed=")) {
    options.seed = std::strtoull(seed, nullptr, 10);
  } else if (const char* from = value_of(argument, "--from=")) {
    options.from = std::atol(from);
  } else if (const char* rounds = value_of(argument, "--rounds=")) {
    options.rounds = std::atol(rounds);
  } else if (const char* seconds = value_of(argument, "--seconds=")) {
    options.seconds = std::atof(seconds);
  } else if (const char* threads = value_of(argument, "--threads=")) {
    options.threads = std::atoi(threads);
  } else if (const char* only = value_of(argument, "--only=")) {
    select(options.weights, only, true);
  } else if (const char* without = value_of(argument, "--without=")) {
    select(options.weights, without, false);
  } else if (std::strcmp(argument, "--memory") == 0) {
    options.memory = true;
  } else {
    usage(argument);
  }
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
  for (const Kind& kind : kinds()) options.weights.push_back(kind.weight);
  for (int i = 1; i < argc; ++i) parse_one(options, argv[i]);
  if (options.threads < 0 || options.threads >= kMostThreads) usage("too many threads");
  int sum = 0;
  for (int weight : options.weights) sum += weight;
  if (sum == 0) usage("no kind is left");
  return options;
}

}  // namespace soak
