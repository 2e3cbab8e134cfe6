#include "runtime/fortran/attribute.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace atl::fortran {
namespace {

// One cell for each value that was ever set. Cells are never freed, since C copies and deletes
// attributes without notice.
struct Cells {
  std::mutex mutex;
  std::unordered_map<MPI_Aint, std::unique_ptr<MPI_Aint>> by_value;
  std::unordered_set<const void*> all;
};

Cells& cells() {
  static auto* made = new Cells;  // never destroyed: MPI_Finalize still deletes attributes
  return *made;
}

}  // namespace

void* attribute_in_c(MPI_Aint value) {
  Cells& known = cells();
  const std::lock_guard guard(known.mutex);
  std::unique_ptr<MPI_Aint>& cell = known.by_value[value];
  if (!cell) {
    cell = std::make_unique<MPI_Aint>(value);
    known.all.insert(cell.get());
  }
  return cell.get();
}

MPI_Aint attribute_of_c(void* value) {
  Cells& known = cells();
  const std::lock_guard guard(known.mutex);
  if (known.all.contains(value)) return *static_cast<MPI_Aint*>(value);
  return reinterpret_cast<MPI_Aint>(value);
}

MPI_Aint attribute_of_c(void* value, int keyval) {
  switch (keyval) {
    case MPI_TAG_UB:
    case MPI_IO:
    case MPI_HOST:
    case MPI_WTIME_IS_GLOBAL:
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE:
    case MPI_UNIVERSE_SIZE:
    case MPI_WIN_DISP_UNIT:
    case MPI_WIN_CREATE_FLAVOR:
    case MPI_WIN_MODEL: return *static_cast<int*>(value);
    case MPI_WIN_SIZE: return *static_cast<MPI_Aint*>(value);
    case MPI_WIN_BASE: return reinterpret_cast<MPI_Aint>(value);
    default: return attribute_of_c(value);
  }
}

}  // namespace atl::fortran
