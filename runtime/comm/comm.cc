#include "runtime/comm/comm.h"

#include <algorithm>

#include "runtime/comm/group.h"
#include "runtime/objects/info.h"

namespace atl::comm {
namespace {

// MPI_IDENT if the order is the same too.
int compare_sets(const RankMap& one, const RankMap& other) {
  if (one == other) return MPI_IDENT;
  return one.same_set(other) ? MPI_SIMILAR : MPI_UNEQUAL;
}

Error needs_inter(const Communicator& comm) {
  return make_error(MPI_ERR_COMM, "comm=%s is not an inter-communicator", comm.label().c_str());
}

}  // namespace

Error size(Communicator& comm, int* size) {
  *size = comm.size();
  return {};
}

Error rank(Communicator& comm, int* rank) {
  *rank = comm.rank();
  return {};
}

// For two inter-communicators both groups are compared (7.6.1).
Error compare(Communicator& comm1, Communicator& comm2, int* result) {
  if (&comm1 == &comm2) {
    *result = MPI_IDENT;
  } else if (comm1.is_inter() != comm2.is_inter()) {
    *result = MPI_UNEQUAL;
  } else {
    const int own = compare_sets(comm1.members(), comm2.members());
    const int others = compare_sets(comm1.peer_members(), comm2.peer_members());
    if (own == MPI_UNEQUAL || others == MPI_UNEQUAL) {
      *result = MPI_UNEQUAL;
    } else {
      *result = own == MPI_IDENT && others == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
    }
  }
  return {};
}

Error group(Communicator& comm, MPI_Group* group) {
  *group = groups.make(comm.members(), comm.session_state);
  return {};
}

Error set_info(Communicator& comm, const Info& info) {
  comm.apply_hints(info);
  return {};
}

Error get_info(Communicator& comm, MPI_Info* info_used) {
  *info_used = infos.create(comm.hints());
  return {};
}

Error test_inter(Communicator& comm, int* flag) {
  *flag = comm.is_inter();
  return {};
}

Error remote_size(Communicator& comm, int* size) {
  if (!comm.is_inter()) return needs_inter(comm);
  *size = comm.peers();
  return {};
}

Error remote_group(Communicator& comm, MPI_Group* group) {
  if (!comm.is_inter()) return needs_inter(comm);
  *group = groups.make(comm.peer_members(), comm.session_state);
  return {};
}

}  // namespace atl::comm
