#include "runtime/coll/selection_text.h"

#include <vector>

#include "runtime/coll/calls.h"
#include "runtime/coll/framework/algorithm.h"
#include "runtime/coll/framework/collective_settings.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

struct Row {
  const char* name;
  std::string when;
};
struct Collective {
  const char* name;
  std::vector<Row> rows;
};

// Joins conditions: "up to 4 KiB, more than 16 ranks".
class Conditions {
 public:
  void add(const std::string& condition) {
    if (!text_.empty()) text_ += ", ";
    text_ += condition;
  }
  void add_if(bool given, const std::string& condition) {
    if (given) add(condition);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string kibibytes(std::size_t bytes) { return std::to_string(bytes / 1024) + " KiB"; }

void add(Conditions& all, const Limits& limits) {
  all.add_if(limits.over_bytes != 0, "more than " + kibibytes(limits.over_bytes));
  all.add_if(limits.up_to_bytes != kAnySize, "up to " + kibibytes(limits.up_to_bytes));
  all.add_if(limits.up_to_total != kAnySize,
             "up to " + kibibytes(limits.up_to_total) + " of all ranks together");
  std::string ranks = "ranks";
  if (limits.over_ranks != 0) ranks = "more than " + std::to_string(limits.over_ranks) + " ranks";
  if (limits.up_to_ranks != kAnyRanks) {
    ranks = "at most " + std::to_string(limits.up_to_ranks) + " ranks";
  }
  if (limits.own_cores) ranks += " with cores of their own";
  all.add_if(ranks != "ranks", ranks);
  all.add_if(limits.kernel_copy, "the kernel may copy");
}

template <class Call>
std::string conditions_of(const Algorithm<Call>& row) {
  Conditions all;
  if (row.in_slot.text != nullptr) {
    all.add(std::string(row.in_slot.text) + " fits into a buffer slot");
  }
  all.add_if(row.equal_blocks, "equal blocks");
  all.add_if(row.contiguous_values, "contiguous values");
  add(all, row.limits);
  if (row.except != nullptr) {
    Conditions except;
    add(except, *row.except);
    all.add("not for (" + except.text() + ")");
  }
  if (row.note != nullptr) all.add(row.note);
  return all.text().empty() ? "otherwise" : all.text();
}

template <class Call>
Collective list() {
  Collective collective{Call::kName, {}};
  for (const auto& row : Call::algorithms()) {
    collective.rows.push_back({row.name, conditions_of(row)});
  }
  return collective;
}

std::vector<Collective> all() {
  return {list<Barrier>(),       list<Bcast>(),    list<Gather>(), list<Scatter>(),
          list<Allgather>(),     list<Alltoall>(), list<Reduce>(), list<Allreduce>(),
          list<ReduceScatter>(), list<Prefix>()};
}

// "flat, pipelined, binomial"
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
  constexpr std::size_t kNameWidth = 26;
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
      name.resize(kNameWidth, ' ');
      text += "  " + name + row.when + '\n';
    }
  }
  return text;
}

Error check_wanted_algorithms() {
  const std::vector<Collective> collectives = all();
  std::string_view rest = settings.algorithms;
  while (!rest.empty()) {
    const Wanted wanted = next_wanted(rest);
    const Collective* collective = find(collectives, wanted.collective);
    if (collective == nullptr) {
      return make_error(MPI_ERR_ARG, "ATOLL_ALGORITHMS: '%s' is no collective with a choice: %s",
                        std::string(wanted.collective).c_str(), names_of(collectives).c_str());
    }
    if (find(collective->rows, wanted.algorithm) == nullptr) {
      return make_error(MPI_ERR_ARG, "ATOLL_ALGORITHMS: '%s' is no algorithm of %s: %s",
                        std::string(wanted.algorithm).c_str(), collective->name,
                        names_of(collective->rows).c_str());
    }
  }
  return {};
}

}  // namespace atl::coll
