#include "runtime/api/check.h"

#include <cinttypes>

namespace atl::api::check {

Fault bad_communicator(const char* name, MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) {
    return fail(MPI_ERR_COMM, "%s=%s belongs to the world model, and here are only sessions", name,
                handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
  }
  if (communicators.find_with_pending(handle) != nullptr) {
    return fail(MPI_ERR_COMM,
                "%s comes from MPI_Comm_idup, whose request has not completed; until then nothing "
                "can be communicated in it",
                name);
  }
  return bad_handle(HandleKind::comm, name, handle);
}

Fault bad_session(const char* name, MPI_Session handle) {
  return bad_handle(HandleKind::session, name, handle);
}

Fault bad_datatype(const char* name, MPI_Datatype handle) {
  return bad_handle(HandleKind::datatype, name, handle);
}

Fault bad_window(const char* name, MPI_Win handle) {
  return bad_handle(HandleKind::win, name, handle);
}

Fault bad_file(const char* name, MPI_File handle) {
  return bad_handle(HandleKind::file, name, handle);
}

Fault bad_group(const char* name, MPI_Group handle) {
  return bad_handle(HandleKind::group, name, handle);
}

Fault uncommitted(const char* name, const Datatype& datatype) {
  return fail(MPI_ERR_TYPE, "%s=%s has not been committed; call MPI_Type_commit first", name,
              label(datatype).c_str());
}

Fault committed_made_datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatypes.find_made(handle);
  if (found == nullptr) return bad_datatype(name, handle);
  if (!found->committed()) return uncommitted(name, *found);
  return {};
}

Fault bad_errhandler(const char* name, MPI_Errhandler handle) {
  return bad_handle(HandleKind::errhandler, name, handle);
}

Fault errhandler_of_others(const char* name, MPI_Errhandler handle) {
  return fail(MPI_ERR_ERRHANDLER,
              "%s=0x%" PRIxPTR " is an error handler for another kind of object", name,
              reinterpret_cast<std::uintptr_t>(handle));
}

Fault bad_info(const char* name, MPI_Info handle) {
  if (handle == MPI_INFO_ENV) {
    return fail(MPI_ERR_INFO, "%s=MPI_INFO_ENV can neither be changed nor freed", name);
  }
  return bad_handle(HandleKind::info, name, handle);
}

Fault bad_keyval(const char* name, int keyval) {
  if (keyval == MPI_KEYVAL_INVALID) {
    return fail(MPI_ERR_KEYVAL, "%s is MPI_KEYVAL_INVALID", name);
  }
  return fail(MPI_ERR_KEYVAL, "%s=%d is not a keyval of this kind of object; was it freed?", name,
              keyval);
}

Fault standard_keyval(const char* name, const char* keyval) {
  return fail(MPI_ERR_KEYVAL, "%s=%s belongs to the standard and cannot be changed", name, keyval);
}

Fault bad_operation(const char* name, MPI_Op handle) {
  return bad_handle(HandleKind::op, name, handle);
}

Fault bad_rank(int error_class, const char* name, int rank, const Communicator& communicator) {
  const char* which = communicator.is_inter() ? "the remote group of " : "";
  return fail(error_class, "%s=%d is outside %s%s of size %d", name, rank, which,
              communicator.described().c_str(), communicator.peers());
}

Fault bad_tag(const char* name, int tag) {
  return fail(MPI_ERR_TAG, "%s=%d is negative", name, tag);
}

Fault bad_buffer(const char* name, const void* buffer, MPI_Count count, const Datatype& datatype) {
  if (buffer == MPI_BOTTOM) {
    return fail(MPI_ERR_BUFFER, "%s is a null pointer, but count is %" PRId64 " (%s)", name, count,
                label(datatype).c_str());
  }
  const char* special = buffer == MPI_IN_PLACE ? "MPI_IN_PLACE" : "MPI_BUFFER_AUTOMATIC";
  return fail(MPI_ERR_BUFFER, "%s is %s, which has no meaning here", name, special);
}

Fault bad_thread_level(const char* name, int level) {
  return fail(MPI_ERR_ARG, "%s=%d is not a thread level", name, level);
}

Fault null_address(const char* name) { return fail(MPI_ERR_ARG, "%s is a null pointer", name); }

Fault null_array(const char* name, MPI_Count length) {
  return fail(MPI_ERR_ARG, "%s is a null pointer, but its length is %" PRId64, name, length);
}

Fault negative(int error_class, const char* name, MPI_Count value) {
  return fail(error_class, "%s=%" PRId64 " is negative", name, value);
}

Fault too_large(const char* name, MPI_Count value) {
  return fail(MPI_ERR_VALUE_TOO_LARGE,
              "%s is %" PRId64 ", too large for an int; the large-count form (_c) can give it out",
              name, value);
}

}  // namespace atl::api::check
