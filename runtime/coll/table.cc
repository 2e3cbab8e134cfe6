#include "runtime/coll/table.h"

#include <vector>

#include "runtime/coll/algorithm.h"
#include "runtime/coll/calls.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

struct Row {
  const char* name;
  const char* when;
};
struct Collective {
  const char* name;
  std::vector<Row> rows;
};

template <class Call>
Collective list() {
  Collective collective{Call::kName, {}};
  for (const auto& row : Call::algorithms()) collective.rows.push_back({row.name, row.when});
  return collective;
}

std::vector<Collective> all() {
  return {list<Barrier>(),       list<Bcast>(),    list<Gather>(), list<Scatter>(),
          list<Allgather>(),     list<Alltoall>(), list<Reduce>(), list<Allreduce>(),
          list<ReduceScatter>(), list<Prefix>()};
}

// "flat, cells, tree"
template <class Named>
std::string names_of(const std::vector<Named>& all) {
  std::string names;
  for (const Named& one : all) {
    if (!names.empty()) names += ", ";
    names += one.name;
  }
  return names;
}

template <class Named>
const Named* find(const std::vector<Named>& all, std::string_view name) {
  for (const Named& one : all) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

}  // namespace

std::string algorithm_table() {
  std::string text;
  for (const Collective& collective : all()) {
    text += collective.name;
    if (const std::string_view wanted = wanted_algorithm(collective.name); !wanted.empty()) {
      text += ", where possible ";
      text += wanted;
    }
    text += '\n';
    for (const Row& row : collective.rows) {
      std::string name = row.name;
      name.resize(14, ' ');
      text += "  " + name + row.when + '\n';
    }
  }
  return text;
}

Fault check_wanted_algorithms() {
  const std::vector<Collective> collectives = all();
  std::string_view rest = settings.algorithms;
  while (!rest.empty()) {
    const Wanted wanted = next_wanted(rest);
    const Collective* collective = find(collectives, wanted.collective);
    if (collective == nullptr) {
      return fail(MPI_ERR_ARG, "ATOLL_ALGORITHMS: '%s' is no collective with a choice: %s",
                  std::string(wanted.collective).c_str(), names_of(collectives).c_str());
    }
    if (find(collective->rows, wanted.algorithm) == nullptr) {
      return fail(MPI_ERR_ARG, "ATOLL_ALGORITHMS: '%s' is no algorithm of %s: %s",
                  std::string(wanted.algorithm).c_str(), collective->name,
                  names_of(collective->rows).c_str());
    }
  }
  return {};
}

}  // namespace atl::coll
