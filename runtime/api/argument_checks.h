// Checks of arguments, one function per kind of argument. The generated entry points call them;
// generator/kinds.py maps each kind to its check.
//
// Each function takes the argument and its name in the standard. A valid argument costs one or two
// inline comparisons. Functions marked cold make the error messages, so that the compiler moves
// their calls out of the hot path.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

#include "runtime/comm/communicator.h"
#include "runtime/comm/file.h"
#include "runtime/comm/group.h"
#include "runtime/comm/session.h"
#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/info.h"
#include "runtime/objects/keyvals.h"
#include "runtime/op/op.h"
#include "runtime/type/type_handles.h"

namespace atl::api {

using datatype::Datatype;

namespace check {

// The value of the attribute MPI_TAG_UB.
inline constexpr int kLargestTag = std::numeric_limits<int>::max();

// The errors, by cause.
[[gnu::cold]] Error bad_communicator(const char* name, MPI_Comm handle);
[[gnu::cold]] Error bad_datatype(const char* name, MPI_Datatype handle);
[[gnu::cold]] Error bad_file(const char* name, MPI_File handle);
[[gnu::cold]] Error bad_group(const char* name, MPI_Group handle);
[[gnu::cold]] Error uncommitted(const char* name, const Datatype& datatype);
[[gnu::cold]] Error bad_errhandler(const char* name, MPI_Errhandler handle);
[[gnu::cold]] Error errhandler_of_others(const char* name, MPI_Errhandler handle);
[[gnu::cold]] Error bad_info(const char* name, MPI_Info handle);
[[gnu::cold]] Error bad_keyval(const char* name, int keyval);
[[gnu::cold]] Error standard_keyval(const char* name, const char* keyval);
[[gnu::cold]] Error bad_operation(const char* name, MPI_Op handle);
[[gnu::cold]] Error bad_rank(int error_class, const char* name, int rank,
                             const Communicator& communicator);
[[gnu::cold]] Error bad_session(const char* name, MPI_Session handle);
[[gnu::cold]] Error bad_tag(const char* name, int tag);
[[gnu::cold]] Error bad_buffer(const char* name, const void* buffer, MPI_Count count,
                               const Datatype& datatype);
[[gnu::cold]] Error bad_thread_level(const char* name, int level);
[[gnu::cold]] Error bad_window(const char* name, MPI_Win handle);
[[gnu::cold]] Error null_address(const char* name);
[[gnu::cold]] Error null_array(const char* name, MPI_Count length);
[[gnu::cold]] Error negative(int error_class, const char* name, MPI_Count value);
[[gnu::cold]] Error too_large(const char* name, MPI_Count value);

// Outputs, strings and statuses that must not be null.
inline Error address(const void* address, const char* name) {
  if (address != nullptr) return {};
  return null_address(name);
}

// An array of `length` elements, which may be null when `length` is 0.
inline Error array(const void* array, const char* name, MPI_Count length) {
  if (array != nullptr || length <= 0) return {};
  return null_array(name, length);
}

template <class Callback>
Error function(Callback* callback, const char* name) {
  if (callback != nullptr) return {};
  return null_address(name);
}

// Handles: `found` is set to the object.
inline Error communicator(MPI_Comm handle, const char* name, Communicator*& found) {
  found = communicators.find(handle);
  if (found != nullptr) return {};
  return bad_communicator(name, handle);
}

// For calls that do not communicate.
inline Error local_communicator(MPI_Comm handle, const char* name, Communicator*& found) {
  found = communicators.find_with_pending(handle);
  if (found != nullptr) return {};
  return bad_communicator(name, handle);
}

// For calls that also accept the null handle: `found` is null then.
inline Error communicator_or_null(MPI_Comm handle, const char* name, Communicator*& found) {
  return handle == MPI_COMM_NULL ? Error() : local_communicator(handle, name, found);
}

inline Error communicator_at(const MPI_Comm* handle, const char* name, Communicator*& found) {
  if (handle == nullptr) return null_address(name);
  return communicator(*handle, name, found);
}

inline Error group(MPI_Group handle, const char* name, Group*& found) {
  found = groups.find(handle);
  if (found != nullptr) return {};
  return bad_group(name, handle);
}

inline Error group_at(const MPI_Group* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  Group* found = nullptr;
  return group(*handle, name, found);
}

inline Error session(MPI_Session handle, const char* name, Session*& found) {
  found = sessions.find(handle);
  if (found != nullptr) return {};
  return bad_session(name, handle);
}

inline Error session_at(const MPI_Session* handle, const char* name, Session*& found) {
  if (handle == nullptr) return null_address(name);
  return session(*handle, name, found);
}

inline Error window(MPI_Win handle, const char* name, Window*& found) {
  found = find_window(handle);
  if (found != nullptr) return {};
  return bad_window(name, handle);
}

inline Error window_at(const MPI_Win* handle, const char* name, Window*& found) {
  if (handle == nullptr) return null_address(name);
  return window(*handle, name, found);
}

inline Error window_or_null(MPI_Win handle, const char* name, Window*& found) {
  return handle == MPI_WIN_NULL ? Error() : window(handle, name, found);
}

// For calls that accept MPI_FILE_NULL, whose error handler applies to calls without a file.
inline Error file_or_null(MPI_File handle, const char* name, File*& found) {
  found = find_file(handle);
  if (found != nullptr) return {};
  return bad_file(name, handle);
}

inline Error datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatypes.find(handle);
  if (found != nullptr) return {};
  return bad_datatype(name, handle);
}

inline Error datatype_or_null(MPI_Datatype handle, const char* name, const Datatype*& found) {
  return handle == MPI_DATATYPE_NULL ? Error() : datatype(handle, name, found);
}

// For types that are not predefined.
Error committed_made_datatype(MPI_Datatype handle, const char* name, const Datatype*& found);

// For calls that move data.
inline Error committed_datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
  if (found != nullptr) return {};
  return committed_made_datatype(handle, name, found);
}

inline Error datatype_object(MPI_Datatype handle, const char* name, TypeObject*& found) {
  found = datatypes.object(handle);
  if (found != nullptr) return {};
  return bad_datatype(name, handle);
}

// For arguments that may not be significant: `found` is null when the handle is invalid.
inline Error datatype_if_any(MPI_Datatype handle, const char*, const Datatype*& found) {
  found = datatypes.find(handle);
  return {};
}

inline Error operation(MPI_Op handle, const char* name, const Op*& found) {
  found = find_op(handle);
  if (found != nullptr) return {};
  return bad_operation(name, handle);
}

inline Error operation_at(const MPI_Op* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  const Op* found = nullptr;
  return operation(*handle, name, found);
}

inline Error datatype_at(const MPI_Datatype* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  if (datatypes.find(*handle) != nullptr) return {};
  return bad_datatype(name, *handle);
}

// For objects with this handle type.
template <class Handle>
Error errhandler(MPI_Errhandler handle, const char* name, Errhandler*& found) {
  found = find_errhandler(handle);
  if (found == nullptr) return bad_errhandler(name, handle);
  if (found->serves<Handle>()) return {};
  return errhandler_of_others(name, handle);
}

inline Error errhandler_at(const MPI_Errhandler* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  if (find_errhandler(*handle) != nullptr) return {};
  return bad_errhandler(name, *handle);
}

template <class Handle>
Error keyval(int number, const char* name, Keyval<Handle>*& found) {
  found = keyvals<Handle>.find(number);
  if (found != nullptr) return {};
  return bad_keyval(name, number);
}

// A keyval that the program may set, delete and free: not a predefined one.
template <class Handle>
Error own_keyval(int number, const char* name, Keyval<Handle>*& found) {
  if (Error error = keyval(number, name, found)) return error;
  if (found->standard == nullptr) return {};
  return standard_keyval(name, found->standard);
}

template <class Handle>
Error own_keyval_at(const int* number, const char* name) {
  if (number == nullptr) return null_address(name);
  Keyval<Handle>* found = nullptr;
  return own_keyval(*number, name, found);
}

inline Error info(MPI_Info handle, const char* name, const Info*& found) {
  found = infos.find(handle);
  if (found != nullptr) return {};
  return bad_info(name, handle);
}

// An info object that the program may change and free: not MPI_INFO_ENV.
inline Error own_info(MPI_Info handle, const char* name, Info*& found) {
  found = infos.find_own(handle);
  if (found != nullptr) return {};
  return bad_info(name, handle);
}

inline Error own_info_at(const MPI_Info* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  Info* found = nullptr;
  return own_info(*handle, name, found);
}

// Hints for a call; MPI_INFO_NULL means no hints.
inline Error hints(MPI_Info handle, const char* name, const Info*& found) {
  if (handle != MPI_INFO_NULL) return info(handle, name, found);
  found = &no_hints();
  return {};
}

inline Error count(MPI_Count count, const char* name) {
  if (count >= 0) return {};
  return negative(MPI_ERR_COUNT, name, count);
}

// A number of bytes.
inline Error size(MPI_Count size, const char* name) {
  if (size >= 0) return {};
  return negative(MPI_ERR_ARG, name, size);
}

// `count` elements of `datatype` at `buffer`. The three addresses with a special meaning, null
// included, cannot hold a message; but null is MPI_BOTTOM for a datatype whose data does not begin
// at offset 0.
inline Error buffer(const void* buffer, const char* name, MPI_Count count,
                    const Datatype& datatype) {
  constexpr auto kLastSpecial = std::uintptr_t{2};  // MPI_BUFFER_AUTOMATIC
  if (reinterpret_cast<std::uintptr_t>(buffer) > kLastSpecial || count == 0 ||
      datatype.size() == 0 || (buffer == MPI_BOTTOM && datatype.true_lower_bound() != 0)) {
    return {};
  }
  return bad_buffer(name, buffer, count, datatype);
}

inline bool is_member(int rank, const Communicator& communicator) {
  return static_cast<unsigned>(rank) < static_cast<unsigned>(communicator.peers());
}

inline Error destination(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator) || rank == MPI_PROC_NULL) return {};
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

inline Error source(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator) || rank == MPI_ANY_SOURCE || rank == MPI_PROC_NULL) {
    return {};
  }
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

inline Error member(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator)) return {};
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

// In an inter-communicator the group of the root passes MPI_ROOT or MPI_PROC_NULL (6.2.3).
inline Error root(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator)) return {};
  if (communicator.is_inter() && (rank == MPI_ROOT || rank == MPI_PROC_NULL)) return {};
  return bad_rank(MPI_ERR_ROOT, name, rank, communicator);
}

inline Error send_tag(int tag, const char* name) {
  static_assert(kLargestTag == std::numeric_limits<int>::max(), "no int is too large a tag");
  if (tag >= 0) return {};
  return bad_tag(name, tag);
}

inline Error receive_tag(int tag, const char* name) {
  if (tag == MPI_ANY_TAG) return {};
  return send_tag(tag, name);
}

inline Error thread_level(int level, const char* name) {
  if (level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED ||
      level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE) {
    return {};
  }
  return bad_thread_level(name, level);
}

// Results that were computed as MPI_Count and are returned as int.
inline bool fits_int(MPI_Count value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

inline Error narrow(MPI_Count value, const char* name, int* result) {
  if (!fits_int(value)) return too_large(name, value);
  *result = static_cast<int>(value);
  return {};
}

inline Error narrow_or_undefined(MPI_Count value, const char*, int* result) {
  *result = fits_int(value) ? static_cast<int>(value) : MPI_UNDEFINED;
  return {};
}

}  // namespace check
}  // namespace atl::api
