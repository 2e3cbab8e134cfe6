#include "runtime/topo/statements.h"

#include <algorithm>
#include <numeric>

#include "runtime/construct/exchange.h"

namespace atl::topo {

// Rank 0 collects and distributes all statements: one rank may give the whole graph and the others
// nothing.
Error Statements::gather(const std::vector<int>& mine, Communicator& comm) {
  std::vector<std::size_t> lengths;
  if (Error error = construct::allgather(mine.size(), lengths, comm)) return error;
  begin_.assign(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), begin_.begin() + 1);
  all_.resize(begin_.back());
  const auto part = [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    return construct::Part{all_.data() + begin_[index], lengths[index] * sizeof(int)};
  };
  const construct::Part own = part(comm.rank());
  std::ranges::copy(mine, static_cast<int*>(own.data));
  if (comm.rank() != 0) {
    if (Error error = construct::send(own, 0, construct::kGatherTag, comm)) return error;
  }
  for (int rank = 1; comm.rank() == 0 && rank < comm.size(); ++rank) {
    if (Error error = construct::receive(part(rank), rank, construct::kGatherTag, comm)) {
      return error;
    }
  }
  return construct::broadcast(construct::part_of(all_), 0, comm);
}

}  // namespace atl::topo
