// Flat reductions: every rank publishes its values, and each rank that gets a result reduces the
// values of ranks 0 to `last`.
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
  bool unpublished = false;  // this rank does not publish its values: no other rank reads them
};

}  // namespace atl::coll::shared_memory
