#include "runtime/construct/create.h"

#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
#include "runtime/construct/intercomm.h"
#include "runtime/construct/make.h"
#include "runtime/core/process.h"
#include "runtime/p2p/blocking.h"

namespace atl::construct {
namespace {

// What the first member tells the others.
struct Announcement {
  shm::ContextId context;
  int size;
  std::uint64_t hash;  // of the members: all must have named the same
};

Fault check_belong(const Group& group, const Communicator& comm) {
  const RankFinder finder(comm.members());
  for (int rank = 0; rank < group.members.size(); ++rank) {
    const std::uint32_t world = group.members.world_rank(rank);
    if (finder.find(world) == Members::kNobody) {
      return fail(MPI_ERR_GROUP, "group: its rank %d (rank %u of the job) does not belong to %s",
                  rank, world, comm.label().c_str());
    }
  }
  return {};
}

Fault announce(const Announcement& announcement, const Members& members, int tag,
               Communicator& comm) {
  const RankFinder finder(comm.members());
  for (int rank = 1; rank < members.size(); ++rank) {
    Announcement copy = announcement;
    if (Fault fault = send(part_of(copy), finder.find(members.world_rank(rank)), tag, comm)) {
      return fault;
    }
  }
  return {};
}

}  // namespace

Fault create_among(Communicator& comm, const Members& members, int tag, Communicator*& made) {
  made = nullptr;
  const int rank = members.find(process.rank);
  if (rank == Members::kNobody) return {};
  const Announcement own{rank == 0 ? take_context(members.size()) : kNoContext, members.size(),
                         members.hash()};
  Announcement told = own;
  if (rank == 0) {
    if (Fault fault = announce(own, members, tag, comm)) return fault;
  } else if (Fault fault =
                 receive(part_of(told), comm.members().find(members.world_rank(0)), tag, comm)) {
    return fault;
  }
  if (told.context == kNoContext) return no_context_left();
  if (told.size != own.size || told.hash != own.hash) {
    release_context(told.context);
    return fail(MPI_ERR_GROUP, "group: here it has %d members, at its first member %d%s", own.size,
                told.size, told.size == own.size ? ", but others" : "");
  }
  made = &make_intra(comm, members, rank, told.context);
  return {};
}

Fault create(Communicator& comm, Group& group, MPI_Comm* newcomm) {
  if (Fault fault = check_belong(group, comm)) return fault;
  if (comm.is_inter()) return create_inter(comm, group.members, newcomm);
  Communicator* made = nullptr;
  if (Fault fault = create_among(comm, group.members, kCreateTag, made)) return fault;
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

Fault create_group(Communicator& comm, Group& group, int tag, MPI_Comm* newcomm) {
  if (comm.is_inter()) {
    return fail(MPI_ERR_COMM, "comm=%s is an inter-communicator", comm.label().c_str());
  }
  if (Fault fault = check_belong(group, comm)) return fault;
  Communicator* made = nullptr;
  if (Fault fault = create_among(comm, group.members, tag_of_program(tag), made)) return fault;
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

Fault free(MPI_Comm* comm) {
  Communicator* one = communicators.find(*comm);
  if (one->predefined != 0) {
    return fail(MPI_ERR_COMM, "comm=%s cannot be freed", one->name().c_str());
  }
  if (Fault fault = one->attributes.remove_all(*comm)) return fault;
  one->freed = true;
  release(*one);
  *comm = MPI_COMM_NULL;
  return {};
}

// Waits for what is under way, here; the others do so for theirs.
Fault disconnect(MPI_Comm* comm) {
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
