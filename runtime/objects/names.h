// Names of objects (MPI 5.0, 7.8): MPI_X_set_name and MPI_X_get_name.
#pragma once

#include <string>

#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"

namespace atl {

// The name that an object stores: truncated to what an array of MPI_MAX_OBJECT_NAME can hold.
std::string kept_name(const char* given);

// Copies a name into an array of MPI_MAX_OBJECT_NAME characters.
void give_name(const std::string& name, char* to, int* length);

namespace objects {

// MPI_Comm_set_name, MPI_Win_set_name.
template <class Object>
Error set_name(Object& object, const char* name) {
  object.set_name(kept_name(name));
  return {};
}

// The name of `object`, or that of the null handle if `object` is null.
template <class Object>
Error get_name(const Object* object, char* name, int* resultlen) {
  give_name(object == nullptr ? null_handle_name(Object::kHandleKind) : object->name(), name,
            resultlen);
  return {};
}

}  // namespace objects
}  // namespace atl
