// An allgather of arrays of different lengths.
#pragma once

#include <span>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::topo {

// The arrays of all ranks.
class Statements {
 public:
  // Collective: `mine` is this rank's array.
  Error gather(const std::vector<int>& mine, Communicator& comm);

  std::size_t ranks() const { return begin_.size() - 1; }
  std::span<const int> of(std::size_t rank) const {
    return std::span(all_).subspan(begin_[rank], begin_[rank + 1] - begin_[rank]);
  }

 private:
  std::vector<std::size_t> begin_ = {0};  // by rank, into `all_`; one more at the end
  std::vector<int> all_;
};

}  // namespace atl::topo
