#include "runtime/construct/make.h"

#include <utility>

namespace atl::construct {
namespace {

void inherit(Communicator& made, const Communicator& parent) {
  made.set_errhandler(parent.errhandler());
  made.origin = parent.origin;
}

}  // namespace

Communicator& make_intra(Communicator& parent, Members members, int rank, shm::ContextId context) {
  Communicator& made = communicators.make(std::move(members), rank, context);
  inherit(made, parent);
  return made;
}

Communicator& make_inter(Communicator& parent, Members members, Members remote, int rank,
                         shm::ContextId context, shm::ContextId local_context) {
  Communicator& local = communicators.make(members, rank, local_context);
  Communicator& made =
      communicators.make(std::move(members), std::move(remote), rank, context, local);
  inherit(made, parent);
  return made;
}

}  // namespace atl::construct
