// MPI_Comm_split_type (MPI 5.0, 7.4.2): a split whose colors follow from the places of the ranks.
#include <functional>
#include <set>
#include <string>

#include "runtime/comm/hardware.h"
#include "runtime/comm/psets.h"
#include "runtime/construct/split.h"
#include "runtime/core/process.h"
#include "runtime/objects/info.h"

namespace atl::construct {
namespace {

constexpr const char* kResourceKey = "mpi_hw_resource_type";
constexpr const char* kPsetKey = "mpi_pset_name";
constexpr int kAll = 0;  // the color when all ranks take part

// A rank that is not confined to one instance takes no part.
int color_at(const HardwareKind& kind) {
  const int instance = instance_of(kind, process.rank);
  return instance < 0 ? MPI_UNDEFINED : instance;
}

int color_of_resource(const std::string& name) {
  if (name == "mpi_shared_memory") return kAll;
  const HardwareKind* kind = find_hardware(name);
  return kind == nullptr ? MPI_UNDEFINED : color_at(*kind);
}

// Sets with the same name are equal or disjoint (11.3.2): the first member distinguishes them.
int color_of_pset(const std::string& name) {
  const auto members = pset_members(name);
  return members ? static_cast<int>(members->world_rank(0)) : MPI_UNDEFINED;
}

// Splits by whichever of these hints is given; `resource` takes precedence.
Error split_guided(int split_type, const std::string* resource, const std::string* pset,
                   Communicator& comm, int key, MPI_Comm* newcomm) {
  SplitKind kind{split_type, 0};
  int color = MPI_UNDEFINED;
  const std::string* value = resource != nullptr ? resource : pset;
  if (value != nullptr) {
    kind.value = std::hash<std::string>()((resource != nullptr ? kResourceKey : kPsetKey) + *value);
    color = resource != nullptr ? color_of_resource(*value) : color_of_pset(*value);
  }
  return split_as(kind, comm, color, key, newcomm);
}

// Over how many instances the members are spread; ranks confined to none count as one more.
std::size_t spread(const HardwareKind& kind, const Communicator& comm) {
  std::set<int> instances;
  for (int rank = 0; rank < comm.size(); ++rank) {
    instances.insert(instance_of(kind, comm.members().world_rank(rank)));
  }
  for (int rank = 0; comm.is_inter() && rank < comm.peers(); ++rank) {
    instances.insert(instance_of(kind, comm.world_rank(rank)));
  }
  return instances.size();
}

// The kind that divides the members into the fewest parts, but at least two; the same on all
// ranks. Null if there is none.
const HardwareKind* dividing_kind(const Communicator& comm) {
  const HardwareKind* found = nullptr;
  std::size_t fewest = 0;
  for (const HardwareKind& kind : shm::kHardwareKinds) {
    const std::size_t parts = spread(kind, comm);
    if (parts < 2 || (found != nullptr && parts >= fewest)) continue;
    found = &kind;
    fewest = parts;
  }
  return found;
}

Error split_unguided(Communicator& comm, int key, Info* info, MPI_Comm* newcomm) {
  const HardwareKind* kind = dividing_kind(comm);
  const int color = kind == nullptr ? MPI_UNDEFINED : color_at(*kind);
  if (Error error =
          split_as({.split_type = MPI_COMM_TYPE_HW_UNGUIDED}, comm, color, key, newcomm)) {
    return error;
  }
  if (info != nullptr && *newcomm != MPI_COMM_NULL) info->set(kResourceKey, uri_of(*kind));
  return {};
}

}  // namespace

Error split_type(Communicator& comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const Info* hints = info == MPI_INFO_NULL ? &no_hints() : infos.find(info);
  if (hints == nullptr) return bad_handle(HandleKind::info, "info", info);
  const std::string* resource = hints->find(kResourceKey);
  switch (split_type) {
    case MPI_UNDEFINED:
    case MPI_COMM_TYPE_SHARED:
      return split_as({.split_type = split_type}, comm,
                      split_type == MPI_UNDEFINED ? MPI_UNDEFINED : kAll, key, newcomm);
    case MPI_COMM_TYPE_HW_GUIDED:
      return split_guided(split_type, resource, nullptr, comm, key, newcomm);
    case MPI_COMM_TYPE_RESOURCE_GUIDED:
      return split_guided(split_type, resource, hints->find(kPsetKey), comm, key, newcomm);
    case MPI_COMM_TYPE_HW_UNGUIDED: return split_unguided(comm, key, infos.find_own(info), newcomm);
    default: return make_error(MPI_ERR_ARG, "split_type=%d is not a type of split", split_type);
  }
}

}  // namespace atl::construct
