// Rank 0 takes the context id and sends it to all; the other ranks contribute nothing. So a
// caller has done its part at once, and waits at most for one or two ids, or for free space in a
// ring. Without that wait rank 0 would run ahead of the others until no id is left.
#include "runtime/construct/dup.h"

#include <memory>

#include "datatype/predefined.h"
#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/contexts.h"
#include "runtime/construct/exchange.h"
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
  int pending = 0;                            // ids that are still to be received or sent

  // Of MPI_Comm_idup.
  p2p::Request* request = nullptr;
  MPI_Comm* newcomm = nullptr;
  bool failed = false;  // on this rank only: its copy is freed once complete
};

void settled(void* state, const p2p::Request&);

// Sends the id to the ranks of `comm` from `first` on, whenever they receive it.
void tell(shm::ContextId& context, int first, int tag, Communicator& comm, Dup& dup) {
  for (int rank = first; rank < comm.peers(); ++rank) {
    ++dup.pending;
    if (p2p::post(
            {&context, sizeof context, datatype::bytes(), rank, tag, comm.collective_context()},
            comm, settled, &dup)) {
      --dup.pending;
    }
  }
}

// Receives the id from rank 0 of `comm`, or of its remote group.
void await(shm::ContextId& context, int tag, Communicator& comm, Dup& dup) {
  ++dup.pending;
  p2p::receive_then(
      {&context, sizeof context, datatype::bytes(), 0, tag, comm.collective_context()}, comm,
      settled, &dup);
}

void exchange_intra(Communicator& comm, Dup& dup) {
  if (comm.rank() != 0) return await(dup.context, kDupTag, comm, dup);
  dup.context = take_context(comm.size());
  tell(dup.context, 1, kDupTag, comm, dup);
}

// One id for both sides together, and one for each side.
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

// The copy, without context ids yet.
Communicator& make_copy(Communicator& comm) {
  Communicator& made = comm.is_inter() ? make_inter(comm, comm.members(), comm.peer_members(),
                                                    comm.rank(), kNoContext, kNoContext)
                                       : make_intra(comm, comm.members(), comm.rank(), kNoContext);
  made.extensions.inherit_from(comm.extensions);
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

// All ids have arrived. If there was no id left, all ranks free their copies.
Error finish(Dup& dup) {
  Communicator& made = *dup.made;
  const bool lacks =
      dup.context == kNoContext || (made.is_inter() && dup.local_context == kNoContext);
  made.set_context(dup.context);
  if (made.is_inter()) made.local().set_context(dup.local_context);
  made.pending = false;
  if (!lacks && !dup.failed) return {};
  made.freed = true;
  release(made);
  return lacks ? no_context_left() : Error();
}

// If a callback fails on this rank, only this rank frees its copy.
Error copy_attributes(Communicator& comm, Communicator& made) {
  return comm.attributes.copy_to(made.attributes, Communicators::handle(comm),
                                 Communicators::handle(made));
}

void finish_idup(Dup* dup) {
  const std::unique_ptr<Dup> ended(dup);
  const Error error = finish(*dup);
  if (dup->failed) return;
  if (error) *dup->newcomm = MPI_COMM_NULL;
  p2p::engine->complete(*dup->request, error);
}

void settled(void* state, const p2p::Request&) {
  auto* dup = static_cast<Dup*>(state);
  if (--dup->pending == 0 && (dup->request != nullptr || dup->failed)) finish_idup(dup);
}

}  // namespace

Error dup(Communicator& comm, MPI_Comm* newcomm) {
  return dup_with_info(comm, no_hints(), newcomm);
}

Error dup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm) {
  Dup dup;
  begin(comm, dup);
  dup.made->apply_hints(info);
  if (dup.pending != 0) {
    p2p::block_until([&] { return dup.pending == 0; },
                     {.communicator = &comm, .peer = 0, .kind = shm::WaitKind::collective});
  }
  if (Error error = finish(dup)) return error;
  if (Error error = copy_attributes(comm, *dup.made)) {
    dup.made->freed = true;
    release(*dup.made);
    return error;
  }
  *newcomm = Communicators::handle(*dup.made);
  return {};
}

Error idup(Communicator& comm, MPI_Comm* newcomm, MPI_Request* request) {
  return idup_with_info(comm, no_hints(), newcomm, request);
}

Error idup_with_info(Communicator& comm, const Info& info, MPI_Comm* newcomm,
                     MPI_Request* request) {
  auto* dup = new Dup;
  dup->newcomm = newcomm;
  begin(comm, *dup);
  dup->made->apply_hints(info);
  if (Error error = copy_attributes(comm, *dup->made)) {
    dup->failed = true;
    if (dup->pending == 0) finish_idup(dup);
    return error;
  }
  *newcomm = Communicators::handle(*dup->made);
  dup->request = &p2p::make_request(p2p::RequestKind::collective, comm);
  dup->request->stage = p2p::Stage::active;
  dup->request->peer = 0;  // for the wait record
  *request = p2p::handle_of(*dup->request);
  if (dup->pending == 0) finish_idup(dup);
  return {};
}

}  // namespace atl::construct
