// The first of the group takes the context id for all and tells them: nobody
// else has anything to say. So whoever calls has done its part at once, and has
// at most to wait for a number or two, or for room in a ring: without that, the
// first would run ahead of the others until no id is left.
#include "runtime/construct/dup.h"

#include <memory>

#include "datatype/predefined.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
#include "runtime/construct/make.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"

namespace atl::construct {
namespace {

struct Dup {
  Communicator* made = nullptr;
  shm::ContextId context = kNoContext;
  shm::ContextId local_context = kNoContext;  // of an inter-communicator
  int awaited = 0;                            // ids that are still to come or to go

  // Of MPI_Comm_idup.
  p2p::Request* request = nullptr;
  MPI_Comm* newcomm = nullptr;
  bool failed = false;  // here alone: nobody wants what the others make
};

void settled(void* state, const p2p::Request&);

// Ranks of `comm` from `first` on are told the id, whenever they want it.
void tell(shm::ContextId& context, int first, int tag, Communicator& comm, Dup& dup) {
  for (int rank = first; rank < comm.peers(); ++rank) {
    ++dup.awaited;
    if (p2p::post(
            {&context, sizeof context, datatype::bytes(), rank, tag, comm.collective_context()},
            comm, settled, &dup)) {
      --dup.awaited;
    }
  }
}

// Rank 0 of `comm`, which may be another side's, will tell.
void await(shm::ContextId& context, int tag, Communicator& comm, Dup& dup) {
  ++dup.awaited;
  p2p::receive_then(
      {&context, sizeof context, datatype::bytes(), 0, tag, comm.collective_context()}, comm,
      settled, &dup);
}

void exchange_intra(Communicator& comm, Dup& dup) {
  if (comm.rank() != 0) return await(dup.context, kDupTag, comm, dup);
  dup.context = take_context(comm.size());
  tell(dup.context, 1, kDupTag, comm, dup);
}

// One id is for both sides, and one for each of them.
void exchange_inter(Communicator& comm, Dup& dup) {
  Communicator& local = comm.local();
  if (comm.rank() == 0) {
    dup.local_context = take_context(comm.size());
    tell(dup.local_context, 1, kDupTag, local, dup);
  } else {
    await(dup.local_context, kDupTag, local, dup);
  }
  if (!decides(comm)) return await(dup.context, kDupRemoteTag, comm, dup);
  if (comm.rank() != 0) return await(dup.context, kDupRemoteTag, local, dup);
  dup.context = take_context(comm.size() + comm.peers());
  tell(dup.context, 1, kDupRemoteTag, local, dup);
  tell(dup.context, 0, kDupRemoteTag, comm, dup);
}

// Without ids yet.
Communicator& make_copy(Communicator& comm) {
  Communicator& made = comm.is_inter() ? make_inter(comm, comm.members(), comm.peer_members(),
                                                    comm.rank(), kNoContext, kNoContext)
                                       : make_intra(comm, comm.members(), comm.rank(), kNoContext);
  made.topology = comm.topology;
  made.pending = true;
  return made;
}

void begin(Communicator& comm, Dup& dup) {
  dup.made = &make_copy(comm);
  if (comm.is_inter()) {
    exchange_inter(comm, dup);
  } else {
    exchange_intra(comm, dup);
  }
}

// All ids are here. Where one is missing for all the copy ends.
Fault finish(Dup& dup) {
  Communicator& made = *dup.made;
  const bool lacks =
      dup.context == kNoContext || (made.is_inter() && dup.local_context == kNoContext);
  made.set_context(dup.context);
  if (made.is_inter()) made.local().set_context(dup.local_context);
  made.pending = false;
  if (!lacks && !dup.failed) return {};
  made.freed = true;
  release(made);
  return lacks ? no_context_left() : Fault();
}

// Where a callback fails, here alone, the copy ends here alone.
Fault copy_attributes(Communicator& comm, Communicator& made) {
  return comm.attributes.copy_to(made.attributes, Communicators::handle(comm),
                                 Communicators::handle(made));
}

void finish_idup(Dup* dup) {
  const std::unique_ptr<Dup> ended(dup);
  const Fault fault = finish(*dup);
  if (dup->failed) return;
  if (fault) *dup->newcomm = MPI_COMM_NULL;
  p2p::engine->complete(*dup->request, fault);
}

void settled(void* state, const p2p::Request&) {
  auto* dup = static_cast<Dup*>(state);
  if (--dup->awaited == 0 && (dup->request != nullptr || dup->failed)) finish_idup(dup);
}

}  // namespace

Fault dup(Communicator& comm, MPI_Comm* newcomm) {
  return dup_with_info(comm, no_hints(), newcomm);
}

Fault dup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm) {
  Dup dup;
  begin(comm, dup);
  dup.made->apply_hints(info);
  if (dup.awaited != 0) {
    p2p::block_until([&] { return dup.awaited == 0; },
                     {.communicator = &comm, .peer = 0, .kind = shm::WaitKind::collective});
  }
  if (Fault fault = finish(dup)) return fault;
  if (Fault fault = copy_attributes(comm, *dup.made)) {
    dup.made->freed = true;
    release(*dup.made);
    return fault;
  }
  *newcomm = Communicators::handle(*dup.made);
  return {};
}

Fault idup(Communicator& comm, MPI_Comm* newcomm, MPI_Request* request) {
  return idup_with_info(comm, no_hints(), newcomm, request);
}

Fault idup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm,
                     MPI_Request* request) {
  auto* dup = new Dup;
  dup->newcomm = newcomm;
  begin(comm, *dup);
  dup->made->apply_hints(info);
  if (Fault fault = copy_attributes(comm, *dup->made)) {
    dup->failed = true;
    if (dup->awaited == 0) finish_idup(dup);
    return fault;
  }
  *newcomm = Communicators::handle(*dup->made);
  dup->request = &p2p::make_request(p2p::RequestKind::collective, comm);
  dup->request->stage = p2p::Stage::active;
  dup->request->peer = 0;  // for whoever asks what this rank waits for
  *request = p2p::handle_of(*dup->request);
  if (dup->awaited == 0) finish_idup(dup);
  return {};
}

}  // namespace atl::construct
