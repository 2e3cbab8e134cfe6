// Attributes: values that programs attach to an object (MPI 5.0, 7.7.1). A communicator, datatype
// or window has one Attributes<Handle> among its members.
//
// A value is the address that C stores. Fortran's MPI_ATTR_PUT stores an INTEGER, and MPI_ATTR_GET
// reads C's address truncated to an INTEGER (19.3.7): the Fortran binding converts.
#pragma once

#include <memory>
#include <vector>

#include "runtime/objects/keyvals.h"

namespace atl {

// The callbacks are the program's code: they run outside of MPI, may call MPI functions, and may
// change the attributes for which they are called. When a callback returns an error, the operation
// fails with that error.
template <class Handle>
class Attributes {
 public:
  bool get(const Keyval<Handle>& keyval, void** value) const;

  // Calls the delete callback for the previous value, if any.
  Error set(Handle object, Keyval<Handle>& keyval, void* value);

  // No effect if the attribute is not set.
  Error remove(Handle object, Keyval<Handle>& keyval);

  // Deletes all attributes in reverse order of setting, as MPI_Finalize must for MPI_COMM_SELF
  // (11.2.4). Stops at the first callback that fails; the remaining attributes stay.
  Error remove_all(Handle object);

  // Copies the attributes in the order of setting into `copy`, which has none yet. When a callback
  // fails, deletes the copied attributes again.
  Error copy_to(Attributes& copy, Handle object, Handle copied_object) const;

  bool empty() const { return list_.empty(); }

 private:
  struct Attribute {
    std::shared_ptr<Keyval<Handle>> keyval;
    void* value;
  };

  typename std::vector<Attribute>::const_iterator find(const Keyval<Handle>& keyval) const;
  Error remove_one(Handle object, Attribute attribute);
  static Error copy_one(const Attribute& attribute, Handle object, Attributes& copy);

  std::vector<Attribute> list_;  // in the order of setting
};

extern template class Attributes<MPI_Comm>;
extern template class Attributes<MPI_Datatype>;
extern template class Attributes<MPI_Win>;

namespace objects {

// MPI_Comm_set_attr, MPI_Type_set_attr, MPI_Win_set_attr.
template <class Object, class Handle>
Error set_attr(Object& object, Keyval<Handle>& keyval, void* value) {
  return object.attributes.set(handle_of(object), keyval, value);
}

template <class Object, class Handle>
Error get_attr(Object& object, const Keyval<Handle>& keyval, void* value, int* flag) {
  void* found = nullptr;
  *flag = object.attributes.get(keyval, &found);
  if (*flag) *static_cast<void**>(value) = found;
  return {};
}

template <class Object, class Handle>
Error delete_attr(Object& object, Keyval<Handle>& keyval) {
  return object.attributes.remove(handle_of(object), keyval);
}

}  // namespace objects
}  // namespace atl
