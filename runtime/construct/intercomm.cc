#include "runtime/construct/intercomm.h"

#include <string>
#include <vector>

#include "runtime/construct/agreement.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
#include "runtime/construct/make.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

using World = std::vector<std::uint32_t>;  // ranks in the job

World world_of(const Members& members) {
  World world;
  for (int rank = 0; rank < members.size(); ++rank) world.push_back(members.world_rank(rank));
  return world;
}

// What a leader says of its side before it sends the list of its members.
struct Side {
  int size;
  int flag;                // what else there is to know: MPI_Intercomm_merge
  int error_class;         // its members do not agree: nothing comes of it
  shm::ContextId context;  // for both sides, in case that this one decides
};

// The leaders hear of each other, and of an error of the other side.
Fault swap_sides(const Line& line, Fault of_side, Side own, Side& other) {
  own.error_class = of_side.error_class();
  if (Fault fault = swap(part_of(own), line.peer, part_of(other), line.peer, line.tag, line.comm)) {
    return fault;
  }
  if (of_side || other.error_class == MPI_SUCCESS) return of_side;
  return fail(other.error_class, "it failed at the other side");
}

// What a leader tells its own side before the list of the others.
struct Outcome {
  int error_class;  // of the leader: nothing comes of it
  int text_bytes;   // and why
  int remote_size;
  shm::ContextId context;
  shm::ContextId local_context;
};

Fault swap_members(const Line& line, const Members& members, int other_size, World& remote) {
  World world = world_of(members);
  remote.resize(static_cast<std::size_t>(other_size));
  return swap(part_of(world), line.peer, part_of(remote), line.peer, line.tag, line.comm);
}

Fault check_disjoint(const Members& members, const World& remote) {
  const RankFinder finder(members);
  for (const std::uint32_t world : remote) {
    const int rank = finder.find(world);
    if (rank == Members::kNobody) continue;
    return fail(MPI_ERR_COMM, "the groups overlap: rank %d of local_comm is in both", rank);
  }
  return {};
}

// Leader: everything that both leaders find out together.
Fault negotiate(const Line& line, Fault of_side, const Members& members, Outcome& outcome,
                World& remote) {
  Offer offer, local_offer;
  Side other{};
  // Where an id is missing for one side, both know.
  const bool complete = local_offer.context() != kNoContext;
  const Side own{members.size(), 0, MPI_SUCCESS, complete ? offer.context() : kNoContext};
  if (Fault fault = swap_sides(line, of_side, own, other)) return fault;
  if (Fault fault = swap_members(line, members, other.size, remote)) return fault;
  if (Fault fault = check_disjoint(members, remote)) return fault;
  outcome.remote_size = other.size;
  if (members.size() == 0 || other.size == 0) return {};
  const bool ours = decides(members, Members::list(remote));
  outcome.context = ours ? own.context : other.context;
  outcome.local_context = local_offer.context();
  if (own.context == kNoContext || other.context == kNoContext) return no_context_left();
  if (ours) offer.give_to(members.size() + other.size);
  local_offer.give_to(members.size());
  return {};
}

// Every rank of `local`: the leader passes on what came of it.
Fault share_outcome(Fault of_leader, int leader, Communicator& local, Outcome& outcome,
                    World& remote) {
  std::string why = of_leader ? of_leader.text() : std::string();
  outcome.error_class = of_leader.error_class();
  outcome.text_bytes = static_cast<int>(why.size());
  if (Fault fault = broadcast(part_of(outcome), leader, local)) return fault;
  if (outcome.error_class != MPI_SUCCESS) {
    why.resize(static_cast<std::size_t>(outcome.text_bytes));
    if (Fault fault = broadcast({why.data(), why.size()}, leader, local)) return fault;
    return fail(outcome.error_class, "%s%s", why.c_str(),
                of_leader ? "" : " (so at the leader of this side)");
  }
  remote.resize(static_cast<std::size_t>(outcome.remote_size));
  return broadcast(part_of(remote), leader, local);
}

Fault check_leader_arguments(MPI_Comm peer_comm, int remote_leader, Communicator*& peer) {
  Communicator* const found = communicators.find(peer_comm);
  if (found == nullptr) return bad_handle(HandleKind::comm, "peer_comm", peer_comm);
  peer = found;
  if (remote_leader < 0 || remote_leader >= peer->peers()) {
    return fail(MPI_ERR_RANK, "remote_leader=%d is outside %s of size %d", remote_leader,
                peer->described().c_str(), peer->peers());
  }
  if (peer->world_rank(remote_leader) == process.rank) {
    return fail(MPI_ERR_RANK, "remote_leader=%d is the local leader itself", remote_leader);
  }
  return {};
}

}  // namespace

Fault connect(Fault of_leader, Communicator& local_comm, int local_leader, const Line& line,
              Communicator*& made) {
  Outcome outcome{};
  World remote;
  if (local_comm.rank() == local_leader && !of_leader) {
    of_leader = negotiate(line, {}, local_comm.members(), outcome, remote);
  }
  if (Fault fault = share_outcome(of_leader, local_leader, local_comm, outcome, remote)) {
    return fault;
  }
  made = &make_inter(local_comm, local_comm.members(), Members::list(remote), local_comm.rank(),
                     outcome.context, outcome.local_context);
  return {};
}

Fault intercomm_create(Communicator& local_comm, int local_leader, MPI_Comm peer_comm,
                       int remote_leader, int tag, MPI_Comm* newintercomm) {
  if (local_comm.is_inter()) {
    return fail(MPI_ERR_COMM, "local_comm=%s is an inter-communicator", local_comm.label().c_str());
  }
  if (local_leader < 0 || local_leader >= local_comm.size()) {
    return fail(MPI_ERR_RANK, "local_leader=%d is outside %s of size %d", local_leader,
                local_comm.described().c_str(), local_comm.size());
  }
  if (Fault fault = check_same(local_comm, "local_leader", local_leader)) return fault;
  Communicator* peer = &local_comm;  // of the others, which is not used
  Fault of_leader;
  if (local_comm.rank() == local_leader) {
    of_leader = check_leader_arguments(peer_comm, remote_leader, peer);
  }
  Communicator* made = nullptr;
  if (Fault fault = connect(of_leader, local_comm, local_leader,
                            {*peer, remote_leader, tag_of_program(tag)}, made)) {
    return fault;
  }
  *newintercomm = Communicators::handle(*made);
  return {};
}

// The groups that the two sides name meet through the first of each side, who
// need not belong to them.
Fault create_inter(Communicator& comm, const Members& members, MPI_Comm* newcomm) {
  const Fault of_side = check_same_hash(comm.local(), "group", members.hash());
  Fault of_leader;
  Outcome outcome{};
  World remote;
  if (comm.rank() == 0) {
    of_leader = negotiate({comm, 0, kCreateTag}, of_side, members, outcome, remote);
  }
  if (of_side) return of_side;
  if (Fault fault = share_outcome(of_leader, 0, comm.local(), outcome, remote)) return fault;
  *newcomm = MPI_COMM_NULL;
  const int rank = members.find(process.rank);
  if (rank == Members::kNobody || remote.empty()) return {};
  *newcomm = Communicators::handle(make_inter(comm, members, Members::list(remote), rank,
                                              outcome.context, outcome.local_context));
  return {};
}

// The side with `high` false comes first; where both say the same, the one that
// decides. The context of the merged communicator is the one for both sides.
Fault intercomm_merge(Communicator& intercomm, int high, MPI_Comm* newintracomm) {
  if (!intercomm.is_inter()) {
    return fail(MPI_ERR_COMM, "intercomm=%s is not an inter-communicator",
                intercomm.label().c_str());
  }
  const Fault of_side = check_same(intercomm.local(), "high", high != 0);
  struct Sides {
    int remote_high;
    int error_class;
    shm::ContextId context;
  };
  Sides sides{0, MPI_SUCCESS, kNoContext};
  const bool ours = decides(intercomm);
  if (intercomm.rank() == 0) {
    Offer offer;
    const Side own{intercomm.size(), high != 0, MPI_SUCCESS, offer.context()};
    Side other{};
    const Fault fault = swap_sides({intercomm, 0, kSwapTag}, of_side, own, other);
    sides = {other.flag, fault.error_class(), ours ? own.context : other.context};
    if (!fault && ours && own.context != kNoContext) {
      offer.give_to(intercomm.size() + intercomm.peers());
    }
  }
  if (of_side) return of_side;
  if (Fault fault = broadcast(part_of(sides), 0, intercomm.local())) return fault;
  if (sides.error_class != MPI_SUCCESS)
    return fail(sides.error_class, "it failed at the other side");
  if (sides.context == kNoContext) return no_context_left();
  const bool first = (high != 0) == (sides.remote_high != 0) ? ours : high == 0;
  World world = world_of(first ? intercomm.members() : intercomm.peer_members());
  const World rest = world_of(first ? intercomm.peer_members() : intercomm.members());
  world.insert(world.end(), rest.begin(), rest.end());
  const int rank = intercomm.rank() + (first ? 0 : intercomm.peers());
  *newintracomm =
      Communicators::handle(make_intra(intercomm, Members::list(world), rank, sides.context));
  return {};
}

}  // namespace atl::construct
