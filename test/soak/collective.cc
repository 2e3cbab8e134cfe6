// Collectives of all kinds, blocking, non-blocking and persistent.
#include <memory>

#include "test/check.h"
#include "test/coll/under_way.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

struct CollectivePlan {
  Community* at = nullptr;
  int community = 0;
  coll::Kind kind = coll::Kind::barrier;
  coll::Form form = coll::Form::blocking;
  int number = 0;  // its data are made of it
  int count = 0;
  unsigned root = 0;
};

class Collective : public Operation {
 public:
  explicit Collective(const CollectivePlan& plan) : plan_(plan), at_(*plan_.at) {}

  int steps() const override { return persistent() ? 2 : 1; }
  std::vector<int> uses() const override { return {plan_.community}; }

  void step(int number, check::Random&) override {
    if (!at_.member()) return;
    if (number == 0) {
      const coll::Place place = at_.place();
      under_way_.begin(place, plan_.kind, plan_.number, plan_.count,
                       coll::Root::draw(plan_.root, place), plan_.form);
    } else {
      MPI_Wait(&under_way_.request(), MPI_STATUS_IGNORE);
      under_way_.verify();
      under_way_.start_again();
    }
  }

  void collect(std::vector<Pending>& pending) override {
    if (under_way_.request() != MPI_REQUEST_NULL)
      pending.push_back({&under_way_.request(), nullptr});
  }

  void finish() override {
    if (!at_.member()) return;
    under_way_.verify();
    under_way_.free();
    under_way_ = {};
  }

 private:
  bool persistent() const { return plan_.form == coll::Form::persistent; }

  CollectivePlan plan_;
  const Community& at_;
  coll::UnderWay under_way_;
};

int draw_count(check::Random& random, std::size_t most_bytes) {
  return int(random.size(random.one_in(4) ? most_bytes : most_bytes / 256) / sizeof(int));
}

}  // namespace

std::unique_ptr<Operation> draw_collective(Draw& draw) {
  constexpr std::size_t kMostBytes = 2 << 20;  // of all blocks of a rank together
  const int number = draw.any();
  if (number < 0) return nullptr;
  check::Random& random = draw.random;
  CollectivePlan plan;
  Community& at = draw.at(number);
  plan.at = &at;
  plan.community = number;
  const unsigned kinds = at.ring    ? coll::kKindsOnRings
                         : at.inter ? coll::kKindsBetweenGroups
                                    : coll::kKinds;
  plan.kind = coll::Kind(random.below(kinds));
  plan.form = coll::Form(random.below(std::uint64_t(coll::Form::count)));
  plan.number = int(draw.round % 8) * kMostOperations + draw.number;
  const auto ranks = std::size_t(at.size(0) + (at.inter ? at.size(1) : 0));
  plan.count = draw_count(random, kMostBytes / ranks);
  plan.root = unsigned(random.next());
  return std::make_unique<Collective>(plan);
}

}  // namespace soak
