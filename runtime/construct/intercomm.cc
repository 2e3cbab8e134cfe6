#include "runtime/construct/intercomm.h"

#include <string>
#include <vector>

#include "runtime/construct/agreement.h"
#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

using World = std::vector<std::uint32_t>;  // ranks in the job

World world_of(const RankMap& members) {
  World world;
  for (int rank = 0; rank < members.size(); ++rank) world.push_back(members.world_rank(rank));
  return world;
}

// What a leader sends about its side before the list of its members.
struct Side {
  int size;
  int flag;                // other argument: `high` of MPI_Intercomm_merge
  int error_class;         // its members do not agree: the construction fails
  shm::ContextId context;  // for both sides, used if this side decides
};

// The leaders exchange their sides, and an error of either side.
Error swap_sides(const Line& line, Error of_side, Side own, Side& other) {
  own.error_class = of_side.error_class();
  if (Error error = swap(part_of(own), line.peer, part_of(other), line.peer, line.tag, line.comm)) {
    return error;
  }
  if (of_side || other.error_class == MPI_SUCCESS) return of_side;
  return make_error(other.error_class, "it failed at the other side");
}

// What a leader sends to its own side before the list of the other side's members.
struct Outcome {
  int error_class;  // of the leader: the construction fails
  int text_bytes;   // length of the error's text
  int remote_size;
  shm::ContextId context;
  shm::ContextId local_context;
};

Error swap_members(const Line& line, const RankMap& members, int other_size, World& remote) {
  World world = world_of(members);
  remote.resize(static_cast<std::size_t>(other_size));
  return swap(part_of(world), line.peer, part_of(remote), line.peer, line.tag, line.comm);
}

Error check_disjoint(const RankMap& members, const World& remote) {
  const RankFinder finder(members);
  for (const std::uint32_t world : remote) {
    const int rank = finder.find(world);
    if (rank == RankMap::kNobody) continue;
    return make_error(MPI_ERR_COMM, "the groups overlap: rank %d of local_comm is in both", rank);
  }
  return {};
}

// Called by the leader: everything that both leaders find out together.
Error negotiate(const Line& line, Error of_side, const RankMap& members, Outcome& outcome,
                World& remote) {
  ContextReservation reservation, local_reservation;
  Side other{};
  // If one side lacks an id, both sides learn of it.
  const bool complete = local_reservation.context() != kNoContext;
  const Side own{members.size(), 0, MPI_SUCCESS, complete ? reservation.context() : kNoContext};
  if (Error error = swap_sides(line, of_side, own, other)) return error;
  if (Error error = swap_members(line, members, other.size, remote)) return error;
  if (Error error = check_disjoint(members, remote)) return error;
  outcome.remote_size = other.size;
  if (members.size() == 0 || other.size == 0) return {};
  const bool ours = decides(members, RankMap::list(remote));
  outcome.context = ours ? own.context : other.context;
  outcome.local_context = local_reservation.context();
  if (own.context == kNoContext || other.context == kNoContext) return no_context_left();
  if (ours) reservation.assign_to(members.size() + other.size);
  local_reservation.assign_to(members.size());
  return {};
}

// Called by every rank of `local`: the leader broadcasts the outcome.
Error share_outcome(Error of_leader, int leader, Communicator& local, Outcome& outcome,
                    World& remote) {
  std::string why = of_leader ? of_leader.text() : std::string();
  outcome.error_class = of_leader.error_class();
  outcome.text_bytes = static_cast<int>(why.size());
  if (Error error = broadcast(part_of(outcome), leader, local)) return error;
  if (outcome.error_class != MPI_SUCCESS) {
    why.resize(static_cast<std::size_t>(outcome.text_bytes));
    if (Error error = broadcast({why.data(), why.size()}, leader, local)) return error;
    return make_error(outcome.error_class, "%s%s", why.c_str(),
                      of_leader ? "" : " (so at the leader of this side)");
  }
  remote.resize(static_cast<std::size_t>(outcome.remote_size));
  return broadcast(part_of(remote), leader, local);
}

Error check_leader_arguments(MPI_Comm peer_comm, int remote_leader, Communicator*& peer) {
  Communicator* const found = communicators.find(peer_comm);
  if (found == nullptr) return bad_handle(HandleKind::comm, "peer_comm", peer_comm);
  peer = found;
  if (remote_leader < 0 || remote_leader >= peer->peers()) {
    return make_error(MPI_ERR_RANK, "remote_leader=%d is outside %s of size %d", remote_leader,
                      peer->described().c_str(), peer->peers());
  }
  if (peer->world_rank(remote_leader) == process.rank) {
    return make_error(MPI_ERR_RANK, "remote_leader=%d is the local leader itself", remote_leader);
  }
  return {};
}

}  // namespace

Error connect(Error of_leader, Communicator& local_comm, int local_leader, const Line& line,
              Communicator*& made) {
  Outcome outcome{};
  World remote;
  if (local_comm.rank() == local_leader && !of_leader) {
    of_leader = negotiate(line, {}, local_comm.members(), outcome, remote);
  }
  if (Error error = share_outcome(of_leader, local_leader, local_comm, outcome, remote)) {
    return error;
  }
  made = &make_inter(local_comm, local_comm.members(), RankMap::list(remote), local_comm.rank(),
                     outcome.context, outcome.local_context);
  return {};
}

Error intercomm_create(Communicator& local_comm, int local_leader, MPI_Comm peer_comm,
                       int remote_leader, int tag, MPI_Comm* newintercomm) {
  if (local_comm.is_inter()) {
    return make_error(MPI_ERR_COMM, "local_comm=%s is an inter-communicator",
                      local_comm.label().c_str());
  }
  if (local_leader < 0 || local_leader >= local_comm.size()) {
    return make_error(MPI_ERR_RANK, "local_leader=%d is outside %s of size %d", local_leader,
                      local_comm.described().c_str(), local_comm.size());
  }
  if (Error error = check_same(local_comm, "local_leader", local_leader)) return error;
  Communicator* peer = &local_comm;  // not used by ranks other than the leader
  Error of_leader;
  if (local_comm.rank() == local_leader) {
    of_leader = check_leader_arguments(peer_comm, remote_leader, peer);
  }
  Communicator* made = nullptr;
  if (Error error = connect(of_leader, local_comm, local_leader,
                            {*peer, remote_leader, tag_of_program(tag)}, made)) {
    return error;
  }
  *newintercomm = Communicators::handle(*made);
  return {};
}

// The groups that the two sides name are exchanged by the first ranks of the sides, which need
// not belong to them.
Error create_inter(Communicator& comm, const RankMap& members, MPI_Comm* newcomm) {
  const Error of_side = check_same_hash(comm.local(), "group", members.hash());
  Error of_leader;
  Outcome outcome{};
  World remote;
  if (comm.rank() == 0) {
    of_leader = negotiate({comm, 0, kCreateTag}, of_side, members, outcome, remote);
  }
  if (of_side) return of_side;
  if (Error error = share_outcome(of_leader, 0, comm.local(), outcome, remote)) return error;
  *newcomm = MPI_COMM_NULL;
  const int rank = members.find(process.rank);
  if (rank == RankMap::kNobody || remote.empty()) return {};
  *newcomm = Communicators::handle(make_inter(comm, members, RankMap::list(remote), rank,
                                              outcome.context, outcome.local_context));
  return {};
}

// The side with `high` false comes first; if both pass the same, the side that decides. The
// merged communicator gets the context id for both sides.
Error intercomm_merge(Communicator& intercomm, int high, MPI_Comm* newintracomm) {
  if (!intercomm.is_inter()) {
    return make_error(MPI_ERR_COMM, "intercomm=%s is not an inter-communicator",
                      intercomm.label().c_str());
  }
  const Error of_side = check_same(intercomm.local(), "high", high != 0);
  struct Sides {
    int remote_high;
    int error_class;
    shm::ContextId context;
  };
  Sides sides{0, MPI_SUCCESS, kNoContext};
  const bool ours = decides(intercomm);
  if (intercomm.rank() == 0) {
    ContextReservation reservation;
    const Side own{intercomm.size(), high != 0, MPI_SUCCESS, reservation.context()};
    Side other{};
    const Error error = swap_sides({intercomm, 0, kSwapTag}, of_side, own, other);
    sides = {other.flag, error.error_class(), ours ? own.context : other.context};
    if (!error && ours && own.context != kNoContext) {
      reservation.assign_to(intercomm.size() + intercomm.peers());
    }
  }
  if (of_side) return of_side;
  if (Error error = broadcast(part_of(sides), 0, intercomm.local())) return error;
  if (sides.error_class != MPI_SUCCESS)
    return make_error(sides.error_class, "it failed at the other side");
  if (sides.context == kNoContext) return no_context_left();
  const bool first = (high != 0) == (sides.remote_high != 0) ? ours : high == 0;
  World world = world_of(first ? intercomm.members() : intercomm.peer_members());
  const World rest = world_of(first ? intercomm.peer_members() : intercomm.members());
  world.insert(world.end(), rest.begin(), rest.end());
  const int rank = intercomm.rank() + (first ? 0 : intercomm.peers());
  *newintracomm =
      Communicators::handle(make_intra(intercomm, RankMap::list(world), rank, sides.context));
  return {};
}

}  // namespace atl::construct
