// Sets of ranks, compared with those of the standard library. No rank hears of the others'.
#include <algorithm>
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

using Ranks = std::vector<int>;  // of the communicator, in the order of the group

Ranks draw_ranks(int size, check::Random& own) {
  Ranks all(std::size_t(size), 0);
  for (int i = 0; i < size; ++i) all[std::size_t(i)] = i;
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[own.below(i)]);
  all.resize(own.below(all.size() + 1));
  return all;
}

bool has(const Ranks& ranks, int rank) { return std::ranges::find(ranks, rank) != ranks.end(); }

Ranks those_of(const Ranks& ranks, const Ranks& other, bool in_both) {
  Ranks found;
  for (int rank : ranks) {
    if (has(other, rank) == in_both) found.push_back(rank);
  }
  return found;
}

class Groups : public Operation {
 public:
  Groups(Draw& draw, int community) : at_(draw.at(community)), community_(community) {}

  int steps() const override { return 1; }
  std::vector<int> uses() const override { return {community_}; }

  void step(int, check::Random& own) override {
    if (!at_.member()) return;
    MPI_Comm_group(at_.comm, &all_);
    const int size = at_.size(at_.side);
    const Ranks a = draw_ranks(size, own), b = draw_ranks(size, own);
    MPI_Group of_a, of_b;
    MPI_Group_incl(all_, int(a.size()), a.data(), &of_a);
    MPI_Group_incl(all_, int(b.size()), b.data(), &of_b);
    Ranks both = a;
    for (int rank : those_of(b, a, false)) both.push_back(rank);
    expect(MPI_Group_union, of_a, of_b, both);
    expect(MPI_Group_intersection, of_a, of_b, those_of(a, b, true));
    expect(MPI_Group_difference, of_a, of_b, those_of(a, b, false));
    MPI_Group_free(&of_a);
    MPI_Group_free(&of_b);
    MPI_Group_free(&all_);
  }

 private:
  template <class Call>
  void expect(Call call, MPI_Group a, MPI_Group b, const Ranks& expected) {
    MPI_Group made;
    call(a, b, &made);
    int size = -1;
    MPI_Group_size(made, &size);
    CHECK_EQ(std::size_t(size), expected.size());
    Ranks own(expected.size()), found(expected.size(), -1);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = int(i);
    MPI_Group_translate_ranks(made, size, own.data(), all_, found.data());
    CHECK(found == expected);
    if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
  }

  const Community& at_;
  int community_;
  MPI_Group all_ = MPI_GROUP_NULL;
};

}  // namespace

std::unique_ptr<Operation> draw_groups(Draw& draw) { return draw_on_any<Groups>(draw); }

}  // namespace soak
