// Checks of arguments, one function a kind of argument. The generated entry
// points call them; generator/kinds.py says which kind is checked by which.
//
// Each takes the argument and its name in the standard. What is right costs a
// comparison or two, inline; the sentence about what is wrong is made elsewhere, in
// functions marked cold, which keeps the way to them out of the caller's way.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

#include "runtime/comm/communicator.h"
#include "runtime/comm/file.h"
#include "runtime/comm/group.h"
#include "runtime/comm/session.h"
#include "runtime/comm/window.h"
#include "runtime/core/fault.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/info.h"
#include "runtime/objects/keyvals.h"
#include "runtime/op/op.h"
#include "runtime/type/handles.h"

namespace atl::api {

using datatype::Datatype;

namespace check {

// The value of the attribute MPI_TAG_UB.
inline constexpr int kLargestTag = std::numeric_limits<int>::max();

// The sentences, by what is wrong.
[[gnu::cold]] Fault bad_communicator(const char* name, MPI_Comm handle);
[[gnu::cold]] Fault bad_datatype(const char* name, MPI_Datatype handle);
[[gnu::cold]] Fault bad_file(const char* name, MPI_File handle);
[[gnu::cold]] Fault bad_group(const char* name, MPI_Group handle);
[[gnu::cold]] Fault uncommitted(const char* name, const Datatype& datatype);
[[gnu::cold]] Fault bad_errhandler(const char* name, MPI_Errhandler handle);
[[gnu::cold]] Fault errhandler_of_others(const char* name, MPI_Errhandler handle);
[[gnu::cold]] Fault bad_info(const char* name, MPI_Info handle);
[[gnu::cold]] Fault bad_keyval(const char* name, int keyval);
[[gnu::cold]] Fault standard_keyval(const char* name, const char* keyval);
[[gnu::cold]] Fault bad_operation(const char* name, MPI_Op handle);
[[gnu::cold]] Fault bad_rank(int error_class, const char* name, int rank,
                             const Communicator& communicator);
[[gnu::cold]] Fault bad_session(const char* name, MPI_Session handle);
[[gnu::cold]] Fault bad_tag(const char* name, int tag);
[[gnu::cold]] Fault bad_buffer(const char* name, const void* buffer, MPI_Count count,
                               const Datatype& datatype);
[[gnu::cold]] Fault bad_thread_level(const char* name, int level);
[[gnu::cold]] Fault bad_window(const char* name, MPI_Win handle);
[[gnu::cold]] Fault null_address(const char* name);
[[gnu::cold]] Fault null_array(const char* name, MPI_Count length);
[[gnu::cold]] Fault negative(int error_class, const char* name, MPI_Count value);
[[gnu::cold]] Fault too_large(const char* name, MPI_Count value);

// Outputs, strings and statuses that the standard does not allow to be absent.
inline Fault address(const void* address, const char* name) {
  if (address != nullptr) return {};
  return null_address(name);
}

// An array of `length` elements, which may be absent when there are none.
inline Fault array(const void* array, const char* name, MPI_Count length) {
  if (array != nullptr || length <= 0) return {};
  return null_array(name, length);
}

template <class Callback>
Fault function(Callback* callback, const char* name) {
  if (callback != nullptr) return {};
  return null_address(name);
}

// Handles: `found` becomes the object.
inline Fault communicator(MPI_Comm handle, const char* name, Communicator*& found) {
  found = communicators.find(handle);
  if (found != nullptr) return {};
  return bad_communicator(name, handle);
}

// For calls that do not communicate.
inline Fault local_communicator(MPI_Comm handle, const char* name, Communicator*& found) {
  found = communicators.find_with_pending(handle);
  if (found != nullptr) return {};
  return bad_communicator(name, handle);
}

// For calls that take a null handle as well: `found` is null for it.
inline Fault communicator_or_null(MPI_Comm handle, const char* name, Communicator*& found) {
  return handle == MPI_COMM_NULL ? Fault() : local_communicator(handle, name, found);
}

inline Fault communicator_at(const MPI_Comm* handle, const char* name, Communicator*& found) {
  if (handle == nullptr) return null_address(name);
  return communicator(*handle, name, found);
}

inline Fault group(MPI_Group handle, const char* name, Group*& found) {
  found = groups.find(handle);
  if (found != nullptr) return {};
  return bad_group(name, handle);
}

inline Fault group_at(const MPI_Group* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  Group* found = nullptr;
  return group(*handle, name, found);
}

inline Fault session(MPI_Session handle, const char* name, Session*& found) {
  found = sessions.find(handle);
  if (found != nullptr) return {};
  return bad_session(name, handle);
}

inline Fault session_at(const MPI_Session* handle, const char* name, Session*& found) {
  if (handle == nullptr) return null_address(name);
  return session(*handle, name, found);
}

inline Fault window(MPI_Win handle, const char* name, Window*& found) {
  found = find_window(handle);
  if (found != nullptr) return {};
  return bad_window(name, handle);
}

inline Fault window_or_null(MPI_Win handle, const char* name, Window*& found) {
  return handle == MPI_WIN_NULL ? Fault() : window(handle, name, found);
}

// Where MPI_FILE_NULL stands for the calls that have no file.
inline Fault file_or_null(MPI_File handle, const char* name, File*& found) {
  found = find_file(handle);
  if (found != nullptr) return {};
  return bad_file(name, handle);
}

inline Fault datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatypes.find(handle);
  if (found != nullptr) return {};
  return bad_datatype(name, handle);
}

inline Fault datatype_or_null(MPI_Datatype handle, const char* name, const Datatype*& found) {
  return handle == MPI_DATATYPE_NULL ? Fault() : datatype(handle, name, found);
}

// Of types that are not predefined.
Fault committed_made_datatype(MPI_Datatype handle, const char* name, const Datatype*& found);

// For calls that move data.
inline Fault committed_datatype(MPI_Datatype handle, const char* name, const Datatype*& found) {
  found = datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
  if (found != nullptr) return {};
  return committed_made_datatype(handle, name, found);
}

inline Fault datatype_object(MPI_Datatype handle, const char* name, TypeObject*& found) {
  found = datatypes.object(handle);
  if (found != nullptr) return {};
  return bad_datatype(name, handle);
}

// Where it may not count: null when there is none.
inline Fault datatype_if_any(MPI_Datatype handle, const char*, const Datatype*& found) {
  found = datatypes.find(handle);
  return {};
}

inline Fault operation(MPI_Op handle, const char* name, const Op*& found) {
  found = find_op(handle);
  if (found != nullptr) return {};
  return bad_operation(name, handle);
}

inline Fault operation_at(const MPI_Op* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  const Op* found = nullptr;
  return operation(*handle, name, found);
}

inline Fault datatype_at(const MPI_Datatype* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  if (datatypes.find(*handle) != nullptr) return {};
  return bad_datatype(name, *handle);
}

// For objects with this kind of handle.
template <class Handle>
Fault errhandler(MPI_Errhandler handle, const char* name, Errhandler*& found) {
  found = find_errhandler(handle);
  if (found == nullptr) return bad_errhandler(name, handle);
  if (found->serves<Handle>()) return {};
  return errhandler_of_others(name, handle);
}

inline Fault errhandler_at(const MPI_Errhandler* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  if (find_errhandler(*handle) != nullptr) return {};
  return bad_errhandler(name, *handle);
}

template <class Handle>
Fault keyval(int number, const char* name, Keyval<Handle>*& found) {
  found = keyvals<Handle>.find(number);
  if (found != nullptr) return {};
  return bad_keyval(name, number);
}

// One that the program may use, not only read.
template <class Handle>
Fault own_keyval(int number, const char* name, Keyval<Handle>*& found) {
  if (Fault fault = keyval(number, name, found)) return fault;
  if (found->standard == nullptr) return {};
  return standard_keyval(name, found->standard);
}

template <class Handle>
Fault own_keyval_at(const int* number, const char* name) {
  if (number == nullptr) return null_address(name);
  Keyval<Handle>* found = nullptr;
  return own_keyval(*number, name, found);
}

inline Fault info(MPI_Info handle, const char* name, const Info*& found) {
  found = infos.find(handle);
  if (found != nullptr) return {};
  return bad_info(name, handle);
}

// One that the program may change and free.
inline Fault own_info(MPI_Info handle, const char* name, Info*& found) {
  found = infos.find_own(handle);
  if (found != nullptr) return {};
  return bad_info(name, handle);
}

inline Fault own_info_at(const MPI_Info* handle, const char* name) {
  if (handle == nullptr) return null_address(name);
  Info* found = nullptr;
  return own_info(*handle, name, found);
}

// Hints to a call; MPI_INFO_NULL has none.
inline Fault hints(MPI_Info handle, const char* name, const Info*& found) {
  if (handle != MPI_INFO_NULL) return info(handle, name, found);
  found = &no_hints();
  return {};
}

inline Fault count(MPI_Count count, const char* name) {
  if (count >= 0) return {};
  return negative(MPI_ERR_COUNT, name, count);
}

// A number of bytes.
inline Fault size(MPI_Count size, const char* name) {
  if (size >= 0) return {};
  return negative(MPI_ERR_ARG, name, size);
}

// `count` elements of `datatype` at `buffer`. The three addresses with a meaning,
// null included, hold no message; but null is MPI_BOTTOM to a datatype whose
// data begins elsewhere.
inline Fault buffer(const void* buffer, const char* name, MPI_Count count,
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

inline Fault destination(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator) || rank == MPI_PROC_NULL) return {};
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

inline Fault source(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator) || rank == MPI_ANY_SOURCE || rank == MPI_PROC_NULL) {
    return {};
  }
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

inline Fault member(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator)) return {};
  return bad_rank(MPI_ERR_RANK, name, rank, communicator);
}

// Of an inter-communicator MPI_ROOT and MPI_PROC_NULL tell the sides apart (6.2.3).
inline Fault root(int rank, const char* name, const Communicator& communicator) {
  if (is_member(rank, communicator)) return {};
  if (communicator.is_inter() && (rank == MPI_ROOT || rank == MPI_PROC_NULL)) return {};
  return bad_rank(MPI_ERR_ROOT, name, rank, communicator);
}

inline Fault send_tag(int tag, const char* name) {
  static_assert(kLargestTag == std::numeric_limits<int>::max(), "no int is too large a tag");
  if (tag >= 0) return {};
  return bad_tag(name, tag);
}

inline Fault receive_tag(int tag, const char* name) {
  if (tag == MPI_ANY_TAG) return {};
  return send_tag(tag, name);
}

inline Fault thread_level(int level, const char* name) {
  if (level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED ||
      level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE) {
    return {};
  }
  return bad_thread_level(name, level);
}

// Results that were computed in full width, given out as an int.
inline bool fits_int(MPI_Count value) {
  return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

inline Fault narrow(MPI_Count value, const char* name, int* result) {
  if (!fits_int(value)) return too_large(name, value);
  *result = static_cast<int>(value);
  return {};
}

inline Fault narrow_or_undefined(MPI_Count value, const char*, int* result) {
  *result = fits_int(value) ? static_cast<int>(value) : MPI_UNDEFINED;
  return {};
}

}  // namespace check
}  // namespace atl::api
