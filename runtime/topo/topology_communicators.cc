#include "runtime/topo/topology_communicators.h"

#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/construct/create.h"
#include "runtime/construct/exchange.h"

namespace atl::topo {

Error check_parent(const Communicator& comm_old) {
  if (!comm_old.is_inter()) return {};
  return make_error(MPI_ERR_COMM, "comm_old=%s is an inter-communicator", comm_old.label().c_str());
}

Locations locations_for(const Communicator& comm_old, int nodes, bool reorder) {
  if (!reorder) return {};
  Locations locations = locations_of(comm_old, nodes);
  const bool known =
      std::ranges::any_of(locations, [](const shm::Location& one) { return one.core >= 0; });
  return known ? locations : Locations();
}

std::uint64_t digest(std::span<const int> numbers, std::uint64_t before) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;
  std::uint64_t value = (before + numbers.size() + 1) * kFactor;
  for (const int number : numbers) {
    value = (value ^ static_cast<std::uint32_t>(number)) * kFactor;
    value ^= value >> 29;
  }
  return value;
}

Error agree(Communicator& comm_old, std::uint64_t arguments) {
  std::vector<std::uint64_t> all;
  if (Error error = construct::allgather(arguments, all, comm_old)) return error;
  const auto other = std::ranges::find_if(all, [&](std::uint64_t one) { return one != all[0]; });
  if (other == all.end()) return {};
  return make_error(MPI_ERR_NOT_SAME, "comm_old=%s: ranks 0 and %td call with different arguments",
                    comm_old.label().c_str(), other - all.begin());
}

Error make(Communicator& comm_old, const Mapping& mapping, Topology::Kind kind, MPI_Comm* newcomm) {
  std::vector<std::uint32_t> world;
  for (const int rank : mapping) world.push_back(comm_old.world_rank(rank));
  const RankMap members = RankMap::list(world);
  Communicator* made = nullptr;
  if (Error error = construct::create_among(comm_old, {members, "a topology"}, made)) return error;
  *newcomm = MPI_COMM_NULL;
  if (made == nullptr) return {};
  made->extensions.set(kTopology, std::make_shared<const Topology>(std::move(kind), made->rank()));
  *newcomm = Communicators::handle(*made);
  return {};
}

int node_of(const Mapping& mapping, int rank) {
  const auto found = std::ranges::find(mapping, rank);
  return found == mapping.end() ? MPI_UNDEFINED : static_cast<int>(found - mapping.begin());
}

}  // namespace atl::topo
