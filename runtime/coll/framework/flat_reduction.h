// Flat reductions: every rank publishes its values, and each that gets a result reduces those of
// the ranks up to `last`.
#pragma once

#include "runtime/coll/framework/fold.h"
#include "runtime/coll/framework/one_round.h"

namespace atl::coll::shared_memory {

struct FlatReduction : FlatExchange {
  FlatReduction(const ReductionArguments& arguments, const CollectiveSignature& signature,
                int last);
  void write_contribution(Channel& channel, Round round);
  void read_contributions(Channel& channel, Round round);

  const ReductionArguments& arguments;
  Data own;
  int last;
  bool unpublished = false;  // nobody else reads this rank's values: they stay where they are
};

}  // namespace atl::coll::shared_memory
