// Communicators as a plan knows them: who is in them, before there is any handle.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "test/coll/places.h"

namespace soak {

// Ranks of the player's communicator that a plan is drawn for.
using Members = std::vector<int>;

struct Community {
  Members sides[2];  // the second only between groups
  bool inter = false;
  bool ring = false;     // a periodic grid of one dimension
  bool claimed = false;  // one operation may receive all messages that come here
  bool used = false;     // an operation sends messages here
  int users = 0;         // operations with steps to come that use it
  int open = 0;          // operations that use it and are not complete
  bool alive = false;    // it has been made, and not freed

  // Of this process.
  MPI_Comm comm = MPI_COMM_NULL;
  int side = 0, rank = -1;  // -1: it is no member

  bool member() const { return rank >= 0; }
  int groups() const { return inter ? 2 : 1; }
  int size(int of) const { return int(sides[of].size()); }
  // The side from which what comes to a side is sent.
  int other(int of) const { return inter ? 1 - of : of; }
  bool is_here(int of, int rank_there) const { return side == of && rank == rank_there; }

  void locate(int self) {
    for (int of = 0; of < groups(); ++of) {
      const auto at = std::ranges::find(sides[of], self);
      if (at == sides[of].end()) continue;
      side = of;
      rank = int(at - sides[of].begin());
    }
  }
  coll::Place place() const { return coll::place_of(comm, side); }
};

}  // namespace soak
