#include "runtime/coll/framework/fold.h"

namespace atl::coll::shared_memory {

void fold(Channel& channel, const Contributions& values, int last,
          const ReductionArguments& arguments, std::byte* to) {
  if (values.count == 0 || last < 0) return;
  const auto of = [&](int rank) -> const std::byte* {
    const bool own = values.own != nullptr && rank == channel.rank();
    return own ? values.own : channel.data(rank, values.round, values.bytes) + values.start;
  };
  if (last == 0) return copy_bytes(to, of(0), values.count * arguments.datatype->size());
  arguments.reduction().combine(of(last - 1), of(last), to, values.count);
  for (int rank = last - 2; rank >= 0; --rank) {
    arguments.reduction().combine(of(rank), to, to, values.count);
  }
}

}  // namespace atl::coll::shared_memory
