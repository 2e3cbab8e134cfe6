#include "runtime/construct/communicator_objects.h"

#include <utility>

namespace atl::construct {
namespace {

void inherit(Communicator& made, const Communicator& parent) {
  made.set_errhandler(parent.errhandler());
  made.session_state = parent.session_state;
}

}  // namespace

Communicator& make_intra(Communicator& parent, RankMap members, int rank, shm::ContextId context) {
  Communicator& made = communicators.make(std::move(members), rank, context);
  inherit(made, parent);
  return made;
}

Communicator& make_inter(Communicator& parent, RankMap members, RankMap remote, int rank,
                         shm::ContextId context, shm::ContextId local_context) {
  Communicator& local = communicators.make(members, rank, local_context);
  Communicator& made =
      communicators.make(std::move(members), std::move(remote), rank, context, local);
  inherit(made, parent);
  return made;
}

}  // namespace atl::construct
