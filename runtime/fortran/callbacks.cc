#include "runtime/fortran/callbacks.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

#include "runtime/fortran/arguments.h"
#include "runtime/fortran/predefined_callbacks.h"

namespace {

// The small integers for these in C, equal for all kinds of objects.
const auto kNullCopyFn = reinterpret_cast<std::uintptr_t>(MPI_NULL_COPY_FN);
const auto kDupFn = reinterpret_cast<std::uintptr_t>(MPI_DUP_FN);
const auto kNullDeleteFn = reinterpret_cast<std::uintptr_t>(MPI_NULL_DELETE_FN);

}  // namespace

namespace atl::fortran {
namespace {

constexpr std::size_t kSlots = 512;  // per kind of callback

std::mutex mutex;  // guards the tables of procedures; a filled slot never changes

template <class CFunction>
struct Slots {
  static inline std::array<void*, kSlots> procedures{};

  template <class Procedure>
  static Procedure* at(std::size_t slot) {
    return reinterpret_cast<Procedure*>(procedures[slot]);
  }
};

template <std::size_t slot>
void call_user_function(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  MPI_Fint type = number(*datatype);
  Slots<::MPI_User_function>::at<MPI_User_function>(slot)(in, inout, len, &type);
}

template <std::size_t slot>
void call_user_function(void* in, void* inout, MPI_Count* len, MPI_Datatype* datatype) {
  MPI_Fint type = number(*datatype);
  Slots<::MPI_User_function_c>::at<MPI_User_function_c>(slot)(in, inout, len, &type);
}

template <std::size_t slot, class Handle>
void call_errhandler(Handle* object, int* error_code, ...) {
  MPI_Fint variable = number(*object);
  Slots<void(Handle*, int*, ...)>::template at<Errhandler_function>(slot)(&variable, error_code);
}

template <class CFunction>
struct Caller;
template <class Count>
struct Caller<void(void*, void*, Count*, MPI_Datatype*)> {
  template <std::size_t slot>
  static constexpr void (*function)(void*, void*, Count*, MPI_Datatype*) = call_user_function<slot>;
};
template <class Handle>
struct Caller<void(Handle*, int*, ...)> {
  template <std::size_t slot>
  static constexpr void (*function)(Handle*, int*, ...) = call_errhandler<slot, Handle>;
};

template <class CFunction, std::size_t... slots>
CFunction* caller(std::size_t slot, std::index_sequence<slots...>) {
  static constexpr CFunction* all[] = {Caller<CFunction>::template function<slots>...};
  return all[slot];
}

}  // namespace

template <class CFunction, class Procedure>
CFunction* closure(Procedure* procedure) {
  auto& procedures = Slots<CFunction>::procedures;
  const std::lock_guard guard(mutex);
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    void*& held = procedures[slot];
    if (held == nullptr) held = reinterpret_cast<void*>(procedure);
    if (held == reinterpret_cast<void*>(procedure)) {
      return caller<CFunction>(slot, std::make_index_sequence<kSlots>());
    }
  }
  return nullptr;
}

template ::MPI_User_function* closure<::MPI_User_function>(MPI_User_function*);
template ::MPI_User_function_c* closure<::MPI_User_function_c>(MPI_User_function_c*);
template ::MPI_Comm_errhandler_function* closure<::MPI_Comm_errhandler_function>(
    Errhandler_function*);
template ::MPI_File_errhandler_function* closure<::MPI_File_errhandler_function>(
    Errhandler_function*);
template ::MPI_Win_errhandler_function* closure<::MPI_Win_errhandler_function>(
    Errhandler_function*);
template ::MPI_Session_errhandler_function* closure<::MPI_Session_errhandler_function>(
    Errhandler_function*);

namespace {

template <class Integer>
struct KeyvalState {
  Copy_function<Integer>* copy;
  Delete_function<Integer>* remove;
  Integer extra_state;
};

// Never freed: nothing tells when the last attribute of a freed keyval is deleted. Equal states are
// shared, so that a program that creates the same keyval repeatedly needs only one.
template <class Integer>
KeyvalState<Integer>* kept_state(const KeyvalState<Integer>& wanted) {
  using Key = std::tuple<Copy_function<Integer>*, Delete_function<Integer>*, Integer>;
  static auto* all = new std::map<Key, KeyvalState<Integer>>;
  const std::lock_guard guard(mutex);
  return &all->try_emplace(Key(wanted.copy, wanted.remove, wanted.extra_state), wanted)
              .first->second;
}

template <class Handle, class Integer>
int call_copy(Handle object, int keyval, void* state, void* in, void* out, int* flag) {
  const auto& callback = *static_cast<const KeyvalState<Integer>*>(state);
  MPI_Fint variable = number(object);
  Integer extra_state = callback.extra_state;
  auto value = static_cast<Integer>(attribute_of_c(in));
  Integer copy = 0;
  MPI_Fint copied = 0;
  MPI_Fint error = MPI_SUCCESS;
  callback.copy(&variable, &keyval, &extra_state, &value, &copy, &copied, &error);
  *flag = logical(&copied);
  if (*flag) *static_cast<void**>(out) = attribute_in_c(copy);
  return error;
}

template <class Handle, class Integer>
int call_delete(Handle object, int keyval, void* value, void* state) {
  const auto& callback = *static_cast<const KeyvalState<Integer>*>(state);
  MPI_Fint variable = number(object);
  Integer extra_state = callback.extra_state;
  auto deleted = static_cast<Integer>(attribute_of_c(value));
  MPI_Fint error = MPI_SUCCESS;
  callback.remove(&variable, &keyval, &deleted, &extra_state, &error);
  return error;
}

}  // namespace

template <class Handle, class Integer>
KeyvalCallbacks<Handle> keyval_callbacks(Copy_function<Integer>* copy,
                                         Delete_function<Integer>* remove, Integer extra_state) {
  KeyvalCallbacks<Handle> callbacks{call_copy<Handle, Integer>, call_delete<Handle, Integer>,
                                    kept_state<Integer>({copy, remove, extra_state})};
  const auto copies = reinterpret_cast<const void*>(copy);
  if (is_null_copy_fn(copies)) {
    callbacks.copy = reinterpret_cast<decltype(callbacks.copy)>(kNullCopyFn);
  } else if (is_dup_fn(copies)) {
    callbacks.copy = reinterpret_cast<decltype(callbacks.copy)>(kDupFn);
  }
  if (is_null_delete_fn(reinterpret_cast<const void*>(remove))) {
    callbacks.remove = reinterpret_cast<decltype(callbacks.remove)>(kNullDeleteFn);
  }
  return callbacks;
}

template KeyvalCallbacks<MPI_Comm> keyval_callbacks(MPI_Copy_function*, MPI_Delete_function*,
                                                    MPI_Fint);
template KeyvalCallbacks<MPI_Comm> keyval_callbacks(MPI_Comm_copy_attr_function*,
                                                    MPI_Comm_delete_attr_function*, MPI_Aint);
template KeyvalCallbacks<MPI_Datatype> keyval_callbacks(MPI_Type_copy_attr_function*,
                                                        MPI_Type_delete_attr_function*, MPI_Aint);
template KeyvalCallbacks<MPI_Win> keyval_callbacks(MPI_Win_copy_attr_function*,
                                                   MPI_Win_delete_attr_function*, MPI_Aint);

namespace {

struct GrequestState {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  MPI_Aint* extra_state;  // the caller's variable, which the callbacks may change
};

int call_query(void* state, MPI_Status* status) {
  auto& request = *static_cast<GrequestState*>(state);
  MPI_Fint error = MPI_SUCCESS;
  request.query(request.extra_state, reinterpret_cast<MPI_Fint*>(status), &error);
  return error;
}

int call_free(void* state) {
  const std::unique_ptr<GrequestState> request(static_cast<GrequestState*>(state));
  MPI_Fint error = MPI_SUCCESS;
  request->free(request->extra_state, &error);
  return error;
}

int call_cancel(void* state, int complete) {
  auto& request = *static_cast<GrequestState*>(state);
  MPI_Fint flag = complete != 0;
  MPI_Fint error = MPI_SUCCESS;
  request.cancel(request.extra_state, &flag, &error);
  return error;
}

}  // namespace

template <>
GrequestCallbacks with_state<::MPI_Grequest_query_function>(MPI_Grequest_query_function* query,
                                                            MPI_Grequest_free_function* free,
                                                            MPI_Grequest_cancel_function* cancel,
                                                            MPI_Aint* extra_state) {
  return {call_query, call_free, call_cancel, new GrequestState{query, free, cancel, extra_state}};
}

}  // namespace atl::fortran
