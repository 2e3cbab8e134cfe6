#include "runtime/topo/make.h"

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/construct/create.h"
#include "runtime/construct/exchange.h"

namespace atl::topo {

Fault check_parent(const Communicator& comm_old) {
  if (!comm_old.is_inter()) return {};
  return fail(MPI_ERR_COMM, "comm_old=%s is an inter-communicator", comm_old.label().c_str());
}

Places places_for(const Communicator& comm_old, int nodes, bool reorder) {
  if (!reorder) return {};
  Places places = places_of(comm_old, nodes);
  const bool known = std::ranges::any_of(places, [](const Place& one) { return one.core >= 0; });
  return known ? places : Places();
}

Fault make(Communicator& comm_old, const Mapping& mapping, Topology topology, MPI_Comm* newcomm) {
  std::vector<std::uint32_t> world;
  for (const int rank : mapping) world.push_back(comm_old.world_rank(rank));
  Communicator* made = nullptr;
  if (Fault fault =
          construct::create_among(comm_old, Members::list(world), construct::kCreateTag, made)) {
    return fault;
  }
  *newcomm = MPI_COMM_NULL;
  if (made == nullptr) return {};
  made->topology = std::make_shared<const Topology>(std::move(topology));
  *newcomm = Communicators::handle(*made);
  return {};
}

int node_of(const Mapping& mapping, int rank) {
  const auto found = std::ranges::find(mapping, rank);
  return found == mapping.end() ? MPI_UNDEFINED : static_cast<int>(found - mapping.begin());
}

}  // namespace atl::topo
