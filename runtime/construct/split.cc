#include "runtime/construct/split.h"

#include <algorithm>
#include <vector>

#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"

namespace atl::construct {
namespace {

// What every rank contributes: its arguments, and context ids in case that it comes first in its
// new group.
struct Choice {
  int color;
  int key;
  shm::ContextId context;
  shm::ContextId local_context;  // of inter-communicators
  int split_type;                // as in SplitKind
  std::uint64_t value;
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

RankMap members_of(const std::vector<int>& ranks, const RankMap& old) {
  std::vector<std::uint32_t> world;
  world.reserve(ranks.size());
  for (const int rank : ranks) world.push_back(old.world_rank(rank));
  return RankMap::list(world);
}

int place_of(int rank, const std::vector<int>& ranks) {
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

const char* name_of(int split_type) {
  switch (split_type) {
    case MPI_COMM_TYPE_SHARED: return "MPI_COMM_TYPE_SHARED";
    case MPI_COMM_TYPE_HW_GUIDED: return "MPI_COMM_TYPE_HW_GUIDED";
    case MPI_COMM_TYPE_HW_UNGUIDED: return "MPI_COMM_TYPE_HW_UNGUIDED";
    case MPI_COMM_TYPE_RESOURCE_GUIDED: return "MPI_COMM_TYPE_RESOURCE_GUIDED";
    default: return "MPI_Comm_split";
  }
}

// All ranks check the same choices: if any two differ, every call fails.
Error check_same(const Choices& choices, const char* group, const Choice*& first) {
  for (std::size_t rank = 0; rank < choices.size(); ++rank) {
    const Choice& one = choices[rank];
    if (one.split_type == MPI_UNDEFINED) continue;
    if (first == nullptr) first = &one;
    if (one.split_type != first->split_type) {
      return make_error(MPI_ERR_NOT_SAME, "split_type=%s at rank %zu%s, but %s at others",
                        name_of(one.split_type), rank, group, name_of(first->split_type));
    }
  }
  return {};
}

// Hints that differ between ranks are ignored: then nothing determines by what to split.
bool same_hint(const Choices& choices, const Choice* first) {
  return std::ranges::all_of(choices, [=](const Choice& one) {
    return one.split_type == MPI_UNDEFINED || one.value == first->value;
  });
}

Error split_intra(const SplitKind& kind, Communicator& comm, int color, int key,
                  MPI_Comm* newcomm) {
  ContextReservation reservation;
  Choices choices;
  const Choice mine{color, key, reservation.context(), kNoContext, kind.split_type, kind.value};
  if (Error error = allgather(mine, choices, comm)) return error;
  const Choice* first = nullptr;
  if (Error error = check_same(choices, "", first)) return error;
  *newcomm = MPI_COMM_NULL;
  if (color == MPI_UNDEFINED || !same_hint(choices, first)) return {};
  const std::vector<int> ranks = chosen(choices, color);
  const shm::ContextId context = choices[static_cast<std::size_t>(ranks[0])].context;
  if (context == kNoContext) return no_context_left();
  RankMap members = members_of(ranks, comm.members());
  const int rank = place_of(comm.rank(), ranks);
  if (rank == 0) reservation.assign_to(members.size());
  *newcomm = Communicators::handle(make_intra(comm, std::move(members), rank, context));
  return {};
}

// The first rank of each group has the choices of its own group, receives those of the other
// group, and broadcasts them.
Error exchange(Communicator& comm, const Choice& mine, Choices& own, Choices& others) {
  if (Error error = allgather(mine, own, comm.local())) return error;
  others.resize(static_cast<std::size_t>(comm.peers()));
  if (comm.rank() == 0) {
    if (Error error = swap(part_of(own), 0, part_of(others), 0, kSwapTag, comm)) return error;
  }
  return broadcast(part_of(others), 0, comm.local());
}

Error split_inter(const SplitKind& kind, Communicator& comm, int color, int key,
                  MPI_Comm* newcomm) {
  ContextReservation reservation, local_reservation;
  Choices own, others;
  const Choice mine{color,           key,       reservation.context(), local_reservation.context(),
                    kind.split_type, kind.value};
  if (Error error = exchange(comm, mine, own, others)) return error;
  const Choice* first_of_all = nullptr;
  if (Error error = check_same(own, "", first_of_all)) return error;
  if (Error error = check_same(others, " of the remote group", first_of_all)) {
    return error;
  }
  *newcomm = MPI_COMM_NULL;
  if (color == MPI_UNDEFINED || !same_hint(own, first_of_all) || !same_hint(others, first_of_all)) {
    return {};
  }
  const std::vector<int> ranks = chosen(own, color);
  const std::vector<int> remote_ranks = chosen(others, color);
  if (remote_ranks.empty()) return {};  // no remote group (7.6.2)
  RankMap members = members_of(ranks, comm.members());
  RankMap remote = members_of(remote_ranks, comm.peer_members());
  const Choice& first = own[static_cast<std::size_t>(ranks[0])];
  const bool ours = decides(members, remote);
  const shm::ContextId context =
      ours ? first.context : others[static_cast<std::size_t>(remote_ranks[0])].context;
  // All ranks of both sides see the same, so that no rank continues alone.
  const auto lacks = [](const Choice& choice) {
    return choice.context == kNoContext || choice.local_context == kNoContext;
  };
  if (lacks(first) || lacks(others[static_cast<std::size_t>(remote_ranks[0])])) {
    return no_context_left();
  }
  const int rank = place_of(comm.rank(), ranks);
  if (rank == 0) {
    if (ours) reservation.assign_to(members.size() + remote.size());
    local_reservation.assign_to(members.size());
  }
  *newcomm = Communicators::handle(
      make_inter(comm, std::move(members), std::move(remote), rank, context, first.local_context));
  return {};
}

}  // namespace

Error split(Communicator& comm, int color, int key, MPI_Comm* newcomm) {
  if (color < 0 && color != MPI_UNDEFINED) {
    return make_error(MPI_ERR_ARG, "color=%d is negative and not MPI_UNDEFINED", color);
  }
  return split_as({}, comm, color, key, newcomm);
}

Error split_as(const SplitKind& kind, Communicator& comm, int color, int key, MPI_Comm* newcomm) {
  return comm.is_inter() ? split_inter(kind, comm, color, key, newcomm)
                         : split_intra(kind, comm, color, key, newcomm);
}

}  // namespace atl::construct
