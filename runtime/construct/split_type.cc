// MPI_Comm_split_type (MPI 5.0, 7.4.2): a split whose colors follow from where
// the ranks are.
#include <string>

#include "runtime/construct/hw_levels.h"
#include "runtime/construct/split.h"
#include "runtime/core/process.h"
#include "runtime/objects/info.h"

namespace atl::construct {
namespace {

constexpr const char* kResourceKey = "mpi_hw_resource_type";
constexpr const char* kPsetKey = "mpi_pset_name";
constexpr int kAll = 0;  // the color where nobody is left out

// Who is not confined to one instance takes no part.
int color_at(const HwLevel& level) {
  const int instance = level.instance_of(process.rank);
  return instance < 0 ? MPI_UNDEFINED : instance;
}

int color_of_resource(const Info& info) {
  const std::string* name = info.find(kResourceKey);
  if (name == nullptr) return MPI_UNDEFINED;
  if (*name == "mpi_shared_memory") return kAll;
  const HwLevel* level = find_hw_level(*name);
  return level == nullptr ? MPI_UNDEFINED : color_at(*level);
}

int color_of_pset(const Info& info, const Communicator& comm) {
  const std::string* name = info.find(kPsetKey);
  if (name == nullptr) return MPI_UNDEFINED;
  if (*name == "mpi://WORLD") return kAll;
  return *name == "mpi://SELF" ? comm.rank() : MPI_UNDEFINED;
}

// The largest hardware of which the members use more than one; everybody finds
// the same, from what the launcher wrote. Null if there is none.
const HwLevel* dividing_level(const Members& members) {
  for (const HwLevel& level : hw_levels()) {
    const int first = level.instance_of(members.world_rank(0));
    for (int rank = 1; rank < members.size(); ++rank) {
      if (level.instance_of(members.world_rank(rank)) != first) return &level;
    }
  }
  return nullptr;
}

Fault split_unguided(Communicator& comm, int key, Info* info, MPI_Comm* newcomm) {
  const HwLevel* level = dividing_level(comm.members());
  if (Fault fault =
          split(comm, level == nullptr ? MPI_UNDEFINED : color_at(*level), key, newcomm)) {
    return fault;
  }
  if (info != nullptr && *newcomm != MPI_COMM_NULL) info->set(kResourceKey, level->uri());
  return {};
}

}  // namespace

Fault split_type(Communicator& comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const Info* hints = info == MPI_INFO_NULL ? &no_hints() : infos.find(info);
  if (hints == nullptr) {
    return fail(MPI_ERR_INFO, "info=%p is not an info object; was it freed?",
                static_cast<void*>(info));
  }
  switch (split_type) {
    case MPI_UNDEFINED: return split(comm, MPI_UNDEFINED, key, newcomm);
    case MPI_COMM_TYPE_SHARED: return split(comm, kAll, key, newcomm);
    case MPI_COMM_TYPE_HW_GUIDED: return split(comm, color_of_resource(*hints), key, newcomm);
    case MPI_COMM_TYPE_RESOURCE_GUIDED: {
      const int color = hints->find(kResourceKey) != nullptr ? color_of_resource(*hints)
                                                             : color_of_pset(*hints, comm);
      return split(comm, color, key, newcomm);
    }
    case MPI_COMM_TYPE_HW_UNGUIDED: return split_unguided(comm, key, infos.find_own(info), newcomm);
    default: return fail(MPI_ERR_ARG, "split_type=%d is not a type of split", split_type);
  }
}

}  // namespace atl::construct
