#include "runtime/core/handle_table.h"

#include <mpi.h>

#include <cinttypes>
#include <cstddef>
#include <iterator>

namespace atl {
namespace {

struct Words {
  const char* object;
  const void* null;
  const char* null_name;
  int error_class;
  const char* end = "freed";
};

// By kind.
const Words kWords[] = {
    {},
    {"a communicator", MPI_COMM_NULL, "MPI_COMM_NULL", MPI_ERR_COMM},
    {"a group", MPI_GROUP_NULL, "MPI_GROUP_NULL", MPI_ERR_GROUP},
    {"a datatype", MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL", MPI_ERR_TYPE},
    {"an operation", MPI_OP_NULL, "MPI_OP_NULL", MPI_ERR_OP},
    {"a request", MPI_REQUEST_NULL, "MPI_REQUEST_NULL", MPI_ERR_REQUEST, "completed or freed"},
    {"a message", MPI_MESSAGE_NULL, "MPI_MESSAGE_NULL", MPI_ERR_REQUEST, "received"},
    {"an error handler", MPI_ERRHANDLER_NULL, "MPI_ERRHANDLER_NULL", MPI_ERR_ERRHANDLER},
    {"an info object", MPI_INFO_NULL, "MPI_INFO_NULL", MPI_ERR_INFO},
    {"a session", MPI_SESSION_NULL, "MPI_SESSION_NULL", MPI_ERR_SESSION, "finalized"},
    {"a window", MPI_WIN_NULL, "MPI_WIN_NULL", MPI_ERR_WIN},
    {"a file", MPI_FILE_NULL, "MPI_FILE_NULL", MPI_ERR_FILE, "closed"},
};
static_assert(std::size(kWords) == static_cast<std::size_t>(HandleKind::file) + 1);

// The kind that a handle's bits state; `predefined` if they state none.
HandleKind kind_of(std::uintptr_t handle) {
  // Values that are no handle rarely convert to an int, and a generation never has 32 bits.
  const std::size_t kind = static_cast<std::uint32_t>(handle) >> 28;
  const bool made = handle >> 63 == 0 && handle_to_int(handle) >= 0 && kind < std::size(kWords);
  return made ? static_cast<HandleKind>(kind) : HandleKind::predefined;
}

}  // namespace

const char* null_handle_name(HandleKind kind) {
  return kWords[static_cast<std::size_t>(kind)].null_name;
}

Error bad_handle(HandleKind kind, const char* name, const void* handle) {
  const Words& words = kWords[static_cast<std::size_t>(kind)];
  if (handle == words.null) return make_error(words.error_class, "%s is %s", name, words.null_name);
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  const HandleKind looks = kind_of(value);
  if (looks == HandleKind::predefined || looks == kind) {
    return make_error(words.error_class, "%s=0x%" PRIxPTR " is not %s; was it %s?", name, value,
                      words.object, words.end);
  }
  return make_error(words.error_class, "%s=0x%" PRIxPTR " is the handle of %s, not of %s", name,
                    value, kWords[static_cast<std::size_t>(looks)].object, words.object);
}

}  // namespace atl
