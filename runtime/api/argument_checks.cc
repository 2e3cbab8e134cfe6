#include "runtime/api/argument_checks.h"

#include <cinttypes>

namespace atl::api::check {

Error bad_communicator(const char* name, MPI_Comm handle) {
  if (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF) {
    return make_error(MPI_ERR_COMM, "%s=%s belongs to the world model, and here are only sessions",
                      name, handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
  }
  if (communicators.find_with_pending(handle) != nullptr) {
    return make_error(
        MPI_ERR_COMM,
        "%s comes from MPI_Comm_idup, whose request has not completed; until then nothing "
        "can be communicated in it",
        name);
  }
  return bad_handle(HandleKind::comm, name, handle);
}

Error bad_session(const char* name, MPI_Session handle) {
  return bad_handle(HandleKind::session, name, handle);
}

Error bad_datatype(const char* name, MPI_Datatype handle) {
  return bad_handle(HandleKind::datatype, name, handle);
}

Error bad_window(const char* name, MPI_Win handle) {
  return bad_handle(HandleKind::win, name, handle);
}

Error bad_file(const char* name, MPI_File handle) {
  return bad_handle(HandleKind::file, name, handle);
}

Error bad_group(const char* name, MPI_Group handle) {
  return bad_handle(HandleKind::group, name, handle);
}

Error uncommitted(const char* name, const Datatype& datatype) {
  return make_error(MPI_ERR_TYPE, "%s=%s has not been committed; call MPI_Type_commit first", name,
                    label(datatype).c_str());
}

Error committed_made_datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatypes.find_made(handle);
  if (found == nullptr) return bad_datatype(name, handle);
  if (!found->committed()) return uncommitted(name, *found);
  return {};
}

Error bad_errhandler(const char* name, MPI_Errhandler handle) {
  return bad_handle(HandleKind::errhandler, name, handle);
}

Error errhandler_of_others(const char* name, MPI_Errhandler handle) {
  return make_error(MPI_ERR_ERRHANDLER,
                    "%s=0x%" PRIxPTR " is an error handler for another kind of object", name,
                    reinterpret_cast<std::uintptr_t>(handle));
}

Error bad_info(const char* name, MPI_Info handle) {
  if (handle == MPI_INFO_ENV) {
    return make_error(MPI_ERR_INFO, "%s=MPI_INFO_ENV can neither be changed nor freed", name);
  }
  return bad_handle(HandleKind::info, name, handle);
}

Error bad_keyval(const char* name, int keyval) {
  if (keyval == MPI_KEYVAL_INVALID) {
    return make_error(MPI_ERR_KEYVAL, "%s is MPI_KEYVAL_INVALID", name);
  }
  return make_error(MPI_ERR_KEYVAL, "%s=%d is not a keyval of this kind of object; was it freed?",
                    name, keyval);
}

Error standard_keyval(const char* name, const char* keyval) {
  return make_error(MPI_ERR_KEYVAL, "%s=%s belongs to the standard and cannot be changed", name,
                    keyval);
}

Error bad_operation(const char* name, MPI_Op handle) {
  return bad_handle(HandleKind::op, name, handle);
}

Error bad_rank(int error_class, const char* name, int rank, const Communicator& communicator) {
  const char* which = communicator.is_inter() ? "the remote group of " : "";
  return make_error(error_class, "%s=%d is outside %s%s of size %d", name, rank, which,
                    communicator.described().c_str(), communicator.peers());
}

Error bad_tag(const char* name, int tag) {
  return make_error(MPI_ERR_TAG, "%s=%d is negative", name, tag);
}

Error bad_buffer(const char* name, const void* buffer, MPI_Count count, const Datatype& datatype) {
  if (buffer == MPI_BOTTOM) {
    return make_error(MPI_ERR_BUFFER, "%s is a null pointer, but count is %" PRId64 " (%s)", name,
                      count, label(datatype).c_str());
  }
  const char* special = buffer == MPI_IN_PLACE ? "MPI_IN_PLACE" : "MPI_BUFFER_AUTOMATIC";
  return make_error(MPI_ERR_BUFFER, "%s is %s, which has no meaning here", name, special);
}

Error bad_thread_level(const char* name, int level) {
  return make_error(MPI_ERR_ARG, "%s=%d is not a thread level", name, level);
}

Error null_address(const char* name) {
  return make_error(MPI_ERR_ARG, "%s is a null pointer", name);
}

Error null_array(const char* name, MPI_Count length) {
  return make_error(MPI_ERR_ARG, "%s is a null pointer, but its length is %" PRId64, name, length);
}

Error negative(int error_class, const char* name, MPI_Count value) {
  return make_error(error_class, "%s=%" PRId64 " is negative", name, value);
}

Error too_large(const char* name, MPI_Count value) {
  return make_error(MPI_ERR_VALUE_TOO_LARGE,
                    "%s is %" PRId64
                    ", too large for an int; the large-count form (_c) can give it out",
                    name, value);
}

}  // namespace atl::api::check
