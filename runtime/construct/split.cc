#include "runtime/construct/split.h"

#include <algorithm>
#include <vector>

#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
#include "runtime/construct/make.h"

namespace atl::construct {
namespace {

// What every rank tells all: what it wants, and ids in case that it comes first
// in its new group.
struct Choice {
  int color;
  int key;
  shm::ContextId context;
  shm::ContextId local_context;  // of inter-communicators
};
using Choices = std::vector<Choice>;  // by rank

// The ranks that chose a color, in their new order.
std::vector<int> chosen(const Choices& choices, int color) {
  std::vector<int> ranks;
  for (int rank = 0; rank < static_cast<int>(choices.size()); ++rank) {
    if (choices[static_cast<std::size_t>(rank)].color == color) ranks.push_back(rank);
  }
  std::ranges::stable_sort(ranks, {},
                           [&](int rank) { return choices[static_cast<std::size_t>(rank)].key; });
  return ranks;
}

Members members_of(const std::vector<int>& ranks, const Members& old) {
  std::vector<std::uint32_t> world;
  world.reserve(ranks.size());
  for (const int rank : ranks) world.push_back(old.world_rank(rank));
  return Members::list(world);
}

int place_of(int rank, const std::vector<int>& ranks) {
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

Fault split_intra(Communicator& comm, int color, int key, MPI_Comm* newcomm) {
  Offer offer;
  Choices choices;
  if (Fault fault = allgather(Choice{color, key, offer.context(), kNoContext}, choices, comm)) {
    return fault;
  }
  *newcomm = MPI_COMM_NULL;
  if (color == MPI_UNDEFINED) return {};
  const std::vector<int> ranks = chosen(choices, color);
  const shm::ContextId context = choices[static_cast<std::size_t>(ranks[0])].context;
  if (context == kNoContext) return no_context_left();
  Members members = members_of(ranks, comm.members());
  const int rank = place_of(comm.rank(), ranks);
  if (rank == 0) offer.give_to(members.size());
  *newcomm = Communicators::handle(make_intra(comm, std::move(members), rank, context));
  return {};
}

// The first of each group has the choices of its own, gets those of the others,
// and passes them on.
Fault exchange(Communicator& comm, const Choice& mine, Choices& own, Choices& others) {
  if (Fault fault = allgather(mine, own, comm.local())) return fault;
  others.resize(static_cast<std::size_t>(comm.peers()));
  if (comm.rank() == 0) {
    if (Fault fault = swap(part_of(own), 0, part_of(others), 0, kSwapTag, comm)) return fault;
  }
  return broadcast(part_of(others), 0, comm.local());
}

Fault split_inter(Communicator& comm, int color, int key, MPI_Comm* newcomm) {
  Offer offer, local_offer;
  Choices own, others;
  const Choice mine{color, key, offer.context(), local_offer.context()};
  if (Fault fault = exchange(comm, mine, own, others)) return fault;
  *newcomm = MPI_COMM_NULL;
  if (color == MPI_UNDEFINED) return {};
  const std::vector<int> ranks = chosen(own, color);
  const std::vector<int> remote_ranks = chosen(others, color);
  if (remote_ranks.empty()) return {};  // nobody to talk to (7.6.2)
  Members members = members_of(ranks, comm.members());
  Members remote = members_of(remote_ranks, comm.peer_members());
  const Choice& first = own[static_cast<std::size_t>(ranks[0])];
  const bool ours = decides(members, remote);
  const shm::ContextId context =
      ours ? first.context : others[static_cast<std::size_t>(remote_ranks[0])].context;
  // All of both sides see the same, so that none of them goes on alone.
  const auto lacks = [](const Choice& choice) {
    return choice.context == kNoContext || choice.local_context == kNoContext;
  };
  if (lacks(first) || lacks(others[static_cast<std::size_t>(remote_ranks[0])])) {
    return no_context_left();
  }
  const int rank = place_of(comm.rank(), ranks);
  if (rank == 0) {
    if (ours) offer.give_to(members.size() + remote.size());
    local_offer.give_to(members.size());
  }
  *newcomm = Communicators::handle(
      make_inter(comm, std::move(members), std::move(remote), rank, context, first.local_context));
  return {};
}

}  // namespace

Fault split(Communicator& comm, int color, int key, MPI_Comm* newcomm) {
  if (color < 0 && color != MPI_UNDEFINED) {
    return fail(MPI_ERR_ARG, "color=%d is negative and not MPI_UNDEFINED", color);
  }
  return comm.is_inter() ? split_inter(comm, color, key, newcomm)
                         : split_intra(comm, color, key, newcomm);
}

}  // namespace atl::construct
