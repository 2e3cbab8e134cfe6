// The text of each error class (9.4), word for word: what users and their search
// engines see. Whoever changes one changes it here too.
#include "test/check.h"

namespace {

struct Row {
  int error_class;
  const char* text;
};

#if MPI_LEVEL >= 50
constexpr Row kTexts[] = {
    {MPI_SUCCESS, "MPI_SUCCESS: no error"},
    {MPI_ERR_BUFFER, "MPI_ERR_BUFFER: invalid buffer"},
    {MPI_ERR_COUNT, "MPI_ERR_COUNT: invalid count"},
    {MPI_ERR_TYPE, "MPI_ERR_TYPE: invalid datatype"},
    {MPI_ERR_TAG, "MPI_ERR_TAG: invalid tag"},
    {MPI_ERR_COMM, "MPI_ERR_COMM: invalid communicator"},
    {MPI_ERR_RANK, "MPI_ERR_RANK: invalid rank"},
    {MPI_ERR_REQUEST, "MPI_ERR_REQUEST: invalid request"},
    {MPI_ERR_ROOT, "MPI_ERR_ROOT: invalid root"},
    {MPI_ERR_GROUP, "MPI_ERR_GROUP: invalid group"},
    {MPI_ERR_OP, "MPI_ERR_OP: invalid reduction operation"},
    {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY: invalid topology"},
    {MPI_ERR_DIMS, "MPI_ERR_DIMS: invalid dimensions"},
    {MPI_ERR_ARG, "MPI_ERR_ARG: invalid argument"},
    {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN: unknown error"},
    {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE: message longer than the receive buffer"},
    {MPI_ERR_OTHER, "MPI_ERR_OTHER: error that has no class of its own"},
    {MPI_ERR_INTERN, "MPI_ERR_INTERN: internal error"},
    {MPI_ERR_PENDING, "MPI_ERR_PENDING: the request is still pending"},
    {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS: the error is in the status"},
    {MPI_ERR_ACCESS, "MPI_ERR_ACCESS: permission denied"},
    {MPI_ERR_AMODE, "MPI_ERR_AMODE: invalid access mode of a file"},
    {MPI_ERR_ASSERT, "MPI_ERR_ASSERT: invalid assertion"},
    {MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE: invalid file name"},
    {MPI_ERR_BASE, "MPI_ERR_BASE: invalid base of memory"},
    {MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION: error in a data conversion function"},
    {MPI_ERR_DISP, "MPI_ERR_DISP: invalid displacement"},
    {MPI_ERR_DUP_DATAREP, "MPI_ERR_DUP_DATAREP: the data representation is defined already"},
    {MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS: the file exists"},
    {MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE: the file is open in some process"},
    {MPI_ERR_FILE, "MPI_ERR_FILE: invalid file handle"},
    {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY: invalid key of an info object"},
    {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY: no such key in the info object"},
    {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE: invalid value in an info object"},
    {MPI_ERR_INFO, "MPI_ERR_INFO: invalid info object"},
    {MPI_ERR_IO, "MPI_ERR_IO: input or output error"},
    {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL: invalid keyval"},
    {MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE: invalid type of lock"},
    {MPI_ERR_NAME, "MPI_ERR_NAME: no such service name"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM: out of memory"},
    {MPI_ERR_NOT_SAME,
     "MPI_ERR_NOT_SAME: an argument of a collective call differs between processes"},
    {MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE: no space left"},
    {MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE: the file does not exist"},
    {MPI_ERR_PORT, "MPI_ERR_PORT: invalid port name"},
    {MPI_ERR_QUOTA, "MPI_ERR_QUOTA: quota exceeded"},
    {MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY: read-only file or file system"},
    {MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH: memory cannot be attached"},
    {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT: conflicting accesses to a window"},
    {MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE: target memory is not part of the window"},
    {MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED: memory cannot be shared"},
    {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC: wrong synchronization of one-sided calls"},
    {MPI_ERR_SERVICE, "MPI_ERR_SERVICE: invalid service name"},
    {MPI_ERR_SIZE, "MPI_ERR_SIZE: invalid size"},
    {MPI_ERR_SPAWN, "MPI_ERR_SPAWN: processes could not be started"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP: unsupported data representation"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION: unsupported operation"},
    {MPI_ERR_WIN, "MPI_ERR_WIN: invalid window"},
    {MPI_ERR_RMA_FLAVOR, "MPI_ERR_RMA_FLAVOR: wrong flavor of window"},
    {MPI_ERR_PROC_ABORTED, "MPI_ERR_PROC_ABORTED: a process of the operation has aborted"},
    {MPI_ERR_VALUE_TOO_LARGE, "MPI_ERR_VALUE_TOO_LARGE: the value does not fit into the variable"},
    {MPI_ERR_SESSION, "MPI_ERR_SESSION: invalid session"},
    {MPI_ERR_ERRHANDLER, "MPI_ERR_ERRHANDLER: invalid error handler"},
    {MPI_ERR_ABI, "MPI_ERR_ABI: error in the application binary interface"},
    {MPI_T_ERR_CANNOT_INIT, "MPI_T_ERR_CANNOT_INIT: the tool interface cannot be initialized"},
    {MPI_T_ERR_NOT_ACCESSIBLE, "MPI_T_ERR_NOT_ACCESSIBLE: the feature is not accessible"},
    {MPI_T_ERR_NOT_INITIALIZED, "MPI_T_ERR_NOT_INITIALIZED: the tool interface is not initialized"},
    {MPI_T_ERR_NOT_SUPPORTED, "MPI_T_ERR_NOT_SUPPORTED: the feature is not supported"},
    {MPI_T_ERR_MEMORY, "MPI_T_ERR_MEMORY: out of memory"},
    {MPI_T_ERR_INVALID, "MPI_T_ERR_INVALID: invalid use of the tool interface"},
    {MPI_T_ERR_INVALID_INDEX, "MPI_T_ERR_INVALID_INDEX: invalid index"},
    {MPI_T_ERR_INVALID_ITEM, "MPI_T_ERR_INVALID_ITEM: invalid index of an item"},
    {MPI_T_ERR_INVALID_SESSION, "MPI_T_ERR_INVALID_SESSION: invalid session of the tool interface"},
    {MPI_T_ERR_INVALID_HANDLE, "MPI_T_ERR_INVALID_HANDLE: invalid handle of the tool interface"},
    {MPI_T_ERR_INVALID_NAME, "MPI_T_ERR_INVALID_NAME: invalid name"},
    {MPI_T_ERR_OUT_OF_HANDLES, "MPI_T_ERR_OUT_OF_HANDLES: no more handles"},
    {MPI_T_ERR_OUT_OF_SESSIONS, "MPI_T_ERR_OUT_OF_SESSIONS: no more sessions"},
    {MPI_T_ERR_CVAR_SET_NOT_NOW,
     "MPI_T_ERR_CVAR_SET_NOT_NOW: the control variable cannot be set now"},
    {MPI_T_ERR_CVAR_SET_NEVER, "MPI_T_ERR_CVAR_SET_NEVER: the control variable cannot be set"},
    {MPI_T_ERR_PVAR_NO_WRITE,
     "MPI_T_ERR_PVAR_NO_WRITE: the performance variable cannot be written"},
    {MPI_T_ERR_PVAR_NO_STARTSTOP,
     "MPI_T_ERR_PVAR_NO_STARTSTOP: the performance variable cannot be started or stopped"},
    {MPI_T_ERR_PVAR_NO_ATOMIC,
     "MPI_T_ERR_PVAR_NO_ATOMIC: the performance variable cannot be read and written at once"},
};

void texts() {
  if (!check::on_atoll()) return;
  for (const Row& row : kTexts) {
    check::set_case("%s", row.text);
    CHECK_EQ(check::error_class(row.error_class), row.error_class);
    CHECK_EQ(check::error_text(row.error_class), row.text);
  }
  check::set_case("all classes of MPI 5.0 are there");
  constexpr int kLast = 62;  // MPI_ERR_ABI
  for (int error_class = MPI_SUCCESS; error_class <= kLast; ++error_class) {
    bool found = false;
    for (const Row& row : kTexts) found = found || row.error_class == error_class;
    CHECK(found);
  }
}
#else
void texts() {}
#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK(!check::error_text(MPI_SUCCESS).empty());
  texts();
  return check::finish();
}
