// Where a collective takes place: a communicator, and who the others on it are.
#pragma once

#include <mpi.h>

#include <vector>

#include "test/check.h"

namespace coll {

// Ranks of both groups of an inter-communicator, told apart.
inline int name_of(int side, int rank) { return 100 * side + rank; }

struct Place {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 0;
  int peers = 0;  // whom data come from: the other group, or all
  bool inter = false;
  int side = 0;  // of an inter-communicator: the group of this process, 0 or 1

  int self() const { return name_of(side, rank); }
  int peer(int i) const { return name_of(inter ? 1 - side : side, i); }
};

inline Place place_of(MPI_Comm comm, int side = 0) {
  Place place{comm};
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &place.rank);
  MPI_Comm_size(comm, &place.size);
  place.inter = inter != 0;
  place.side = side;
  place.peers = place.size;
  if (place.inter) MPI_Comm_remote_size(comm, &place.peers);
  return place;
}

// A third of the world, the rest, both with their ranks reversed, and what is between them.
inline std::vector<Place> make_places() {
  std::vector<Place> places = {place_of(MPI_COMM_WORLD)};
  if (check::size < 2) return places;
  const int first = (check::size + 2) / 3;  // ranks on side 0
  const int side = check::rank < first ? 0 : 1;
  MPI_Comm part, between;
  MPI_Comm_split(MPI_COMM_WORLD, side, -check::rank, &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, side == 0 ? check::size - 1 : first - 1, 5,
                       &between);
  places.push_back(place_of(part));
  places.push_back(place_of(between, side));
  return places;
}

inline void free_places(std::vector<Place>& places) {
  for (std::size_t i = 1; i < places.size(); ++i) MPI_Comm_free(&places[i].comm);
}

// The root of a collective; between groups it is on one side, and data go to the other
// one or come from there.
struct Root {
  int rank = 0;
  int side = 0;

  static Root draw(unsigned number, const Place& at) {
    if (!at.inter) return {int(number / 2 % at.size), at.side};
    const int side = int(number % 2);
    return {int(number / 2 % (side == at.side ? at.size : at.peers)), side};
  }
  bool is(const Place& at) const { return at.side == side && at.rank == rank; }
  // Whether this process gives to the root or gets from it.
  bool serves(const Place& at) const { return !at.inter || at.side != side; }
  int argument(const Place& at) const {
    if (!at.inter || at.side != side) return rank;
    return at.rank == rank ? MPI_ROOT : MPI_PROC_NULL;
  }
  int name() const { return name_of(side, rank); }
};

}  // namespace coll
