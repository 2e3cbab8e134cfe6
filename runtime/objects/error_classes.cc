#include "runtime/objects/error_classes.h"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace atl {
namespace {

#define ATL_CLASS(name, meaning) \
  ErrorClass { name, #name, meaning }

constexpr std::array kClasses{
    ATL_CLASS(MPI_SUCCESS, "no error"),
    ATL_CLASS(MPI_ERR_BUFFER, "invalid buffer"),
    ATL_CLASS(MPI_ERR_COUNT, "invalid count"),
    ATL_CLASS(MPI_ERR_TYPE, "invalid datatype"),
    ATL_CLASS(MPI_ERR_TAG, "invalid tag"),
    ATL_CLASS(MPI_ERR_COMM, "invalid communicator"),
    ATL_CLASS(MPI_ERR_RANK, "invalid rank"),
    ATL_CLASS(MPI_ERR_REQUEST, "invalid request"),
    ATL_CLASS(MPI_ERR_ROOT, "invalid root"),
    ATL_CLASS(MPI_ERR_GROUP, "invalid group"),
    ATL_CLASS(MPI_ERR_OP, "invalid reduction operation"),
    ATL_CLASS(MPI_ERR_TOPOLOGY, "invalid topology"),
    ATL_CLASS(MPI_ERR_DIMS, "invalid dimensions"),
    ATL_CLASS(MPI_ERR_ARG, "invalid argument"),
    ATL_CLASS(MPI_ERR_UNKNOWN, "unknown error"),
    ATL_CLASS(MPI_ERR_TRUNCATE, "message longer than the receive buffer"),
    ATL_CLASS(MPI_ERR_OTHER, "error that has no class of its own"),
    ATL_CLASS(MPI_ERR_INTERN, "internal error"),
    ATL_CLASS(MPI_ERR_PENDING, "the request is still pending"),
    ATL_CLASS(MPI_ERR_IN_STATUS, "the error is in the status"),
    ATL_CLASS(MPI_ERR_ACCESS, "permission denied"),
    ATL_CLASS(MPI_ERR_AMODE, "invalid access mode of a file"),
    ATL_CLASS(MPI_ERR_ASSERT, "invalid assertion"),
    ATL_CLASS(MPI_ERR_BAD_FILE, "invalid file name"),
    ATL_CLASS(MPI_ERR_BASE, "invalid base of memory"),
    ATL_CLASS(MPI_ERR_CONVERSION, "error in a data conversion function"),
    ATL_CLASS(MPI_ERR_DISP, "invalid displacement"),
    ATL_CLASS(MPI_ERR_DUP_DATAREP, "the data representation is defined already"),
    ATL_CLASS(MPI_ERR_FILE_EXISTS, "the file exists"),
    ATL_CLASS(MPI_ERR_FILE_IN_USE, "the file is open in some process"),
    ATL_CLASS(MPI_ERR_FILE, "invalid file handle"),
    ATL_CLASS(MPI_ERR_INFO_KEY, "invalid key of an info object"),
    ATL_CLASS(MPI_ERR_INFO_NOKEY, "no such key in the info object"),
    ATL_CLASS(MPI_ERR_INFO_VALUE, "invalid value in an info object"),
    ATL_CLASS(MPI_ERR_INFO, "invalid info object"),
    ATL_CLASS(MPI_ERR_IO, "input or output error"),
    ATL_CLASS(MPI_ERR_KEYVAL, "invalid keyval"),
    ATL_CLASS(MPI_ERR_LOCKTYPE, "invalid type of lock"),
    ATL_CLASS(MPI_ERR_NAME, "no such service name"),
    ATL_CLASS(MPI_ERR_NO_MEM, "out of memory"),
    ATL_CLASS(MPI_ERR_NOT_SAME, "an argument of a collective call differs between processes"),
    ATL_CLASS(MPI_ERR_NO_SPACE, "no space left"),
    ATL_CLASS(MPI_ERR_NO_SUCH_FILE, "the file does not exist"),
    ATL_CLASS(MPI_ERR_PORT, "invalid port name"),
    ATL_CLASS(MPI_ERR_QUOTA, "quota exceeded"),
    ATL_CLASS(MPI_ERR_READ_ONLY, "read-only file or file system"),
    ATL_CLASS(MPI_ERR_RMA_ATTACH, "memory cannot be attached"),
    ATL_CLASS(MPI_ERR_RMA_CONFLICT, "conflicting accesses to a window"),
    ATL_CLASS(MPI_ERR_RMA_RANGE, "target memory is not part of the window"),
    ATL_CLASS(MPI_ERR_RMA_SHARED, "memory cannot be shared"),
    ATL_CLASS(MPI_ERR_RMA_SYNC, "wrong synchronization of one-sided calls"),
    ATL_CLASS(MPI_ERR_SERVICE, "invalid service name"),
    ATL_CLASS(MPI_ERR_SIZE, "invalid size"),
    ATL_CLASS(MPI_ERR_SPAWN, "processes could not be started"),
    ATL_CLASS(MPI_ERR_UNSUPPORTED_DATAREP, "unsupported data representation"),
    ATL_CLASS(MPI_ERR_UNSUPPORTED_OPERATION, "unsupported operation"),
    ATL_CLASS(MPI_ERR_WIN, "invalid window"),
    ATL_CLASS(MPI_ERR_RMA_FLAVOR, "wrong flavor of window"),
    ATL_CLASS(MPI_ERR_PROC_ABORTED, "a process of the operation has aborted"),
    ATL_CLASS(MPI_ERR_VALUE_TOO_LARGE, "the value does not fit into the variable"),
    ATL_CLASS(MPI_ERR_SESSION, "invalid session"),
    ATL_CLASS(MPI_ERR_ERRHANDLER, "invalid error handler"),
    ATL_CLASS(MPI_ERR_ABI, "error in the application binary interface"),
    ATL_CLASS(MPI_T_ERR_CANNOT_INIT, "the tool interface cannot be initialized"),
    ATL_CLASS(MPI_T_ERR_NOT_ACCESSIBLE, "the feature is not accessible"),
    ATL_CLASS(MPI_T_ERR_NOT_INITIALIZED, "the tool interface is not initialized"),
    ATL_CLASS(MPI_T_ERR_NOT_SUPPORTED, "the feature is not supported"),
    ATL_CLASS(MPI_T_ERR_MEMORY, "out of memory"),
    ATL_CLASS(MPI_T_ERR_INVALID, "invalid use of the tool interface"),
    ATL_CLASS(MPI_T_ERR_INVALID_INDEX, "invalid index"),
    ATL_CLASS(MPI_T_ERR_INVALID_ITEM, "invalid index of an item"),
    ATL_CLASS(MPI_T_ERR_INVALID_SESSION, "invalid session of the tool interface"),
    ATL_CLASS(MPI_T_ERR_INVALID_HANDLE, "invalid handle of the tool interface"),
    ATL_CLASS(MPI_T_ERR_INVALID_NAME, "invalid name"),
    ATL_CLASS(MPI_T_ERR_OUT_OF_HANDLES, "no more handles"),
    ATL_CLASS(MPI_T_ERR_OUT_OF_SESSIONS, "no more sessions"),
    ATL_CLASS(MPI_T_ERR_CVAR_SET_NOT_NOW, "the control variable cannot be set now"),
    ATL_CLASS(MPI_T_ERR_CVAR_SET_NEVER, "the control variable cannot be set"),
    ATL_CLASS(MPI_T_ERR_PVAR_NO_WRITE, "the performance variable cannot be written"),
    ATL_CLASS(MPI_T_ERR_PVAR_NO_STARTSTOP, "the performance variable cannot be started or stopped"),
    ATL_CLASS(MPI_T_ERR_PVAR_NO_ATOMIC,
              "the performance variable cannot be read and written at once"),
};

#undef ATL_CLASS

}  // namespace

std::span<const ErrorClass> standard_error_classes() { return kClasses; }

const ErrorClass* find_error_class(int value) {
  const auto found = std::ranges::find(kClasses, value, &ErrorClass::value);
  return found == kClasses.end() ? nullptr : found;
}

}  // namespace atl
