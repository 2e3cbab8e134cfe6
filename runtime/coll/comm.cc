#include "runtime/coll/comm.h"

#include <algorithm>
#include <cstring>

#include "datatype/predefined.h"
#include "runtime/coll/coll.h"
#include "runtime/comm/raise.h"
#include "runtime/core/process.h"

namespace atl::comm {

Fault size(Communicator& comm, int* size) {
  *size = comm.size();
  return {};
}

Fault rank(Communicator& comm, int* rank) {
  *rank = comm.rank();
  return {};
}

Fault compare(Communicator& comm1, Communicator& comm2, int* result) {
  const auto& first = comm1.members()->world;
  const auto& second = comm2.members()->world;
  if (&comm1 == &comm2) {
    *result = MPI_IDENT;
  } else if (first == second) {
    *result = MPI_CONGRUENT;
  } else {
    *result = std::ranges::is_permutation(first, second) ? MPI_SIMILAR : MPI_UNEQUAL;
  }
  return {};
}

// Rank 0 takes the context id for all and tells the others: no agreement.
Fault dup(Communicator& comm, MPI_Comm* newcomm) {
  constexpr shm::ContextId kNone = ~0u;
  shm::ContextId context = kNone;
  if (comm.rank() == 0) {
    const auto members = static_cast<std::uint32_t>(comm.size());
    context = process.segment->contexts().take(members).value_or(kNone);
  }
  if (Fault fault = coll::bcast(&context, sizeof context, datatype::bytes(), 0, comm)) {
    return fault;
  }
  if (context == kNone) {
    return fail(MPI_ERR_OTHER, "all %u context ids of the job are in use",
                shm::ContextRegistry::kContexts);
  }
  Communicator& made = communicators.make("", comm.members(), comm.rank(), context);
  made.set_errhandler(comm.errhandler());
  made.topology = comm.topology;
  const MPI_Comm handle = Communicators::handle(made);
  if (Fault fault = comm.attributes.copy_to(made.attributes, Communicators::handle(comm), handle)) {
    made.freed = true;
    release(made);
    return fault;
  }
  *newcomm = handle;
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

Fault set_name(Communicator& comm, const char* comm_name) {
  comm.set_name(std::string(comm_name, ::strnlen(comm_name, MPI_MAX_OBJECT_NAME - 1)));
  return {};
}

Fault get_name(Communicator& comm, char* comm_name, int* resultlen) {
  const std::string& name = comm.name();
  std::memcpy(comm_name, name.c_str(), name.size() + 1);
  *resultlen = static_cast<int>(name.size());
  return {};
}

Fault set_errhandler(Communicator& comm, Errhandler& errhandler) {
  comm.set_errhandler(errhandler);
  return {};
}

Fault get_errhandler(Communicator& comm, MPI_Errhandler* errhandler) {
  retain(comm.errhandler());  // the program frees what it gets (MPI 5.0, 9.3)
  *errhandler = handle_of(comm.errhandler());
  return {};
}

Fault call_errhandler(Communicator& comm, int errorcode) { return call_handler(comm, errorcode); }

}  // namespace atl::comm
