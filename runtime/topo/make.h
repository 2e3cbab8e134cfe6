// Communicators with a topology, out of others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "runtime/topo/reorder.h"
#include "runtime/topo/topology.h"

namespace atl::topo {

// Whether all ranks of a grid or graph can be had from `comm_old`.
Fault check_parent(const Communicator& comm_old);

// The places of ranks 0 to nodes - 1, if they are wanted; empty when nothing is
// to be gained, since nothing is known of them.
Places places_for(const Communicator& comm_old, int nodes, bool reorder);

// A number for arguments that all ranks must give alike.
std::uint64_t digest(std::span<const int> numbers, std::uint64_t before = 0);

// Collective: whether all ranks have called with the same arguments. If not, all
// of them get the fault.
Fault agree(Communicator& comm_old, std::uint64_t arguments);

// Rank i of the new communicator is rank mapping[i] of the old one, whose other
// ranks get MPI_COMM_NULL.
Fault make(Communicator& comm_old, const Mapping& mapping, Topology::Kind kind, MPI_Comm* newcomm);

// The node that a rank becomes, or MPI_UNDEFINED.
int node_of(const Mapping& mapping, int rank);

}  // namespace atl::topo
