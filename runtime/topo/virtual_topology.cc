#include "runtime/topo/virtual_topology.h"

#include <mpi.h>

#include <utility>

namespace atl::topo {
namespace {

constexpr const char* name_of(const Grid*) { return "Cartesian"; }
constexpr const char* name_of(const Graph*) { return "graph"; }
constexpr const char* name_of(const DistGraph*) { return "distributed graph"; }

}  // namespace

template <class Kind>
Error find(const Communicator& comm, const Kind*& found) {
  const Topology* topology = topology_of(comm);
  found = topology == nullptr ? nullptr : std::get_if<Kind>(&topology->kind);
  if (found != nullptr) return {};
  return make_error(MPI_ERR_TOPOLOGY, "comm=%s has no %s topology", comm.label().c_str(),
                    name_of(found));
}

template Error find(const Communicator&, const Grid*&);
template Error find(const Communicator&, const Graph*&);
template Error find(const Communicator&, const DistGraph*&);

Topology::Topology(Kind made, int rank)
    : kind(std::move(made)),
      neighbours(std::visit([&](const auto& one) { return Neighbours(one, rank); }, kind)) {}

Error topo_test(Communicator& comm, int* status) {
  constexpr int kStatus[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
  const Topology* topology = topology_of(comm);
  *status = topology == nullptr ? MPI_UNDEFINED : kStatus[topology->kind.index()];
  return {};
}

Error check_room(const char* name, int room, std::size_t needed, const char* what) {
  if (room >= 0 && static_cast<std::size_t>(room) >= needed) return {};
  return make_error(MPI_ERR_ARG, "%s=%d is less than the %zu %s", name, room, needed, what);
}

}  // namespace atl::topo
