#include "runtime/construct/create.h"

#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/intercomm.h"
#include "runtime/core/process.h"
#include "runtime/p2p/blocking.h"

namespace atl::construct {
namespace {

Error check_belong(const Group& group, const Communicator& comm) {
  if (group.session_state != comm.session_state && group.members.size() != 0) {
    return make_error(MPI_ERR_GROUP, "group is derived from another session than %s",
                      comm.label().c_str());
  }
  const RankFinder finder(comm.members());
  for (int rank = 0; rank < group.members.size(); ++rank) {
    const std::uint32_t world = group.members.world_rank(rank);
    if (finder.find(world) == RankMap::kNobody) {
      return make_error(MPI_ERR_GROUP,
                        "group: its rank %d (rank %u of the job) does not belong to %s", rank,
                        world, comm.label().c_str());
    }
  }
  return {};
}

}  // namespace

Error create_among(Communicator& comm, const Construction& meant, Communicator*& made) {
  made = nullptr;
  const int rank = meant.members.find(process.rank);
  if (rank == RankMap::kNobody) return {};
  shm::ContextId context = kNoContext;
  if (Error error = agree(comm, meant, context)) return error;
  made = &make_intra(comm, meant.members, rank, context);
  return {};
}

Error create(Communicator& comm, Group& group, MPI_Comm* newcomm) {
  if (Error error = check_belong(group, comm)) return error;
  if (comm.is_inter()) return create_inter(comm, group.members, newcomm);
  Communicator* made = nullptr;
  if (Error error = create_among(comm, {group.members, "MPI_Comm_create"}, made)) return error;
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

Error create_group(Communicator& comm, Group& group, int tag, MPI_Comm* newcomm) {
  if (comm.is_inter()) {
    return make_error(MPI_ERR_COMM, "comm=%s is an inter-communicator", comm.label().c_str());
  }
  if (Error error = check_belong(group, comm)) return error;
  Communicator* made = nullptr;
  if (Error error = create_among(comm, {group.members, "tag=" + std::to_string(tag)}, made)) {
    return error;
  }
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

Error free(MPI_Comm* comm) {
  Communicator* one = communicators.find(*comm);
  if (one->predefined != 0) {
    return make_error(MPI_ERR_COMM, "comm=%s cannot be freed", one->name().c_str());
  }
  if (Error error = one->attributes.remove_all(*comm)) return error;
  one->freed = true;
  release(*one);
  *comm = MPI_COMM_NULL;
  return {};
}

// Waits for this process's operations on the communicator; the other members wait for theirs.
Error disconnect(MPI_Comm* comm) {
  Communicator* one = communicators.find(*comm);
  const auto quiet = [one] {
    bool busy = false;
    if (one->references > 1) {
      p2p::requests.for_each([&](const p2p::Request& request) {
        busy = busy || (request.communicator == one && request.active());
      });
    }
    return !busy;
  };
  if (one->predefined == 0) p2p::block_until(quiet, {.communicator = one});
  return free(comm);
}

}  // namespace atl::construct
