#include "runtime/coll/framework/flat_reduction.h"

namespace atl::coll::shared_memory {

FlatReduction::FlatReduction(const ReductionArguments& arguments, const CollectiveSignature& made,
                             int last)
    : arguments(arguments), own(arguments.contribution()), last(last) {
  signature = made;
  bytes = own.bytes();
}

void FlatReduction::write_contribution(Channel& channel, Round round) {
  channel.write(round, own, 0, bytes);
}

void FlatReduction::read_contributions(Channel& channel, Round round) {
  Contributions values = {.round = round, .bytes = own.bytes(), .count = own.count};
  if (unpublished) values.own = static_cast<const std::byte*>(own.address);
  fold(channel, values, last, arguments, static_cast<std::byte*>(arguments.recvbuf));
}

}  // namespace atl::coll::shared_memory
