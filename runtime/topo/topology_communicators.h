// Creates communicators with a topology.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "runtime/topo/reorder.h"
#include "runtime/topo/virtual_topology.h"

namespace atl::topo {

// Error when `comm_old` is an inter-communicator.
Error check_parent(const Communicator& comm_old);

// The locations of ranks 0 to nodes - 1 if `reorder` is true; empty when reordering has no use,
// since no location is known.
Locations locations_for(const Communicator& comm_old, int nodes, bool reorder);

// A hash of arguments that must be equal on all ranks.
std::uint64_t digest(std::span<const int> numbers, std::uint64_t before = 0);

// Collective: error on all ranks unless all have called with the same hash of arguments.
Error agree(Communicator& comm_old, std::uint64_t arguments);

// Rank i of the new communicator is rank mapping[i] of `comm_old`. Other ranks of `comm_old` get
// MPI_COMM_NULL.
Error make(Communicator& comm_old, const Mapping& mapping, Topology::Kind kind, MPI_Comm* newcomm);

// The node that `rank` becomes, or MPI_UNDEFINED.
int node_of(const Mapping& mapping, int rank);

}  // namespace atl::topo
