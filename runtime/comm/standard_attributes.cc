#include "runtime/comm/standard_attributes.h"

#include <algorithm>
#include <limits>

#include "runtime/core/process.h"
#include "runtime/objects/error_codes.h"

namespace atl::comm {
namespace {

// C programs get the addresses of these ints (MPI 5.0, 9.1.2).
struct Standard {
  int tag_ub = std::numeric_limits<int>::max();
  int io = MPI_ANY_SOURCE;  // every rank has the language's I/O
  int host = MPI_PROC_NULL;
  int wtime_is_global = 1;  // one clock for the node
  int appnum = 0;
  int universe_size = 1;
};
Standard standard;

// Null where the attribute has no value.
int* standard_value(int keyval) {
  switch (keyval) {
    case MPI_TAG_UB: return &standard.tag_ub;
    case MPI_IO: return &standard.io;
    case MPI_HOST: return &standard.host;
    case MPI_WTIME_IS_GLOBAL: return &standard.wtime_is_global;
    case MPI_APPNUM: return process.launched ? &standard.appnum : nullptr;
    case MPI_LASTUSEDCODE: return &last_used_code();
    case MPI_UNIVERSE_SIZE: return &standard.universe_size;
    default: return nullptr;
  }
}

}  // namespace

Error get_attr(Communicator& comm, const Keyval<MPI_Comm>& keyval, void* value, int* flag) {
  if (keyval.standard == nullptr) return objects::get_attr(comm, keyval, value, flag);
  void* found = standard_value(keyval.number);
  *flag = found != nullptr;
  if (*flag) *static_cast<void**>(value) = found;
  return {};
}

void make_standard_attributes() {
  auto& table = keyvals<MPI_Comm>;
  table.add_standard(MPI_TAG_UB, "MPI_TAG_UB");
  table.add_standard(MPI_IO, "MPI_IO");
  table.add_standard(MPI_HOST, "MPI_HOST");
  table.add_standard(MPI_WTIME_IS_GLOBAL, "MPI_WTIME_IS_GLOBAL");
  table.add_standard(MPI_APPNUM, "MPI_APPNUM");
  table.add_standard(MPI_LASTUSEDCODE, "MPI_LASTUSEDCODE");
  table.add_standard(MPI_UNIVERSE_SIZE, "MPI_UNIVERSE_SIZE");
  standard.appnum = static_cast<int>(process.slot().app_number);
  standard.universe_size = static_cast<int>(std::max(process.segment->header().cpus, process.size));
}

}  // namespace atl::comm
