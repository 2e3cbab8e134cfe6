// What programs attach to an object: attributes (MPI 5.0, 7.7.1). A
// communicator, datatype or window has one Attributes<Handle> among its members.
//
// A value is the address that C stores. Fortran's MPI_ATTR_PUT stores an INTEGER
// and reads C's address cut to one (19.3.7): a binding converts at its own edge.
#pragma once

#include <memory>
#include <vector>

#include "runtime/objects/keyvals.h"

namespace atl {

// The callbacks are the program's code: they run outside of MPI, may call it,
// and may change the very attributes that they are called for. A callback that
// returns an error fails the operation, with the error that it returned.
template <class Handle>
class Attributes {
 public:
  bool get(const Keyval<Handle>& keyval, void** value) const;

  // Deletes the value that was there, with its callback.
  Fault set(Handle object, Keyval<Handle>& keyval, void* value);

  // Where there is none, there is nothing to do.
  Fault remove(Handle object, Keyval<Handle>& keyval);

  // All of them, last set first, as MPI_Finalize wants it of MPI_COMM_SELF
  // (11.2.4). Ends at the first callback that fails; the rest stays.
  Fault remove_all(Handle object);

  // Into those of `copy`, which has none yet, in the order of setting. When a
  // callback fails, what was copied is deleted again.
  Fault copy_to(Attributes& copy, Handle object, Handle copied_object) const;

  bool empty() const { return list_.empty(); }

 private:
  struct Attribute {
    std::shared_ptr<Keyval<Handle>> keyval;
    void* value;
  };

  typename std::vector<Attribute>::const_iterator find(const Keyval<Handle>& keyval) const;
  Fault remove_one(Handle object, Attribute attribute);
  static Fault copy_one(const Attribute& attribute, Handle object, Attributes& copy);

  std::vector<Attribute> list_;  // in the order of setting
};

extern template class Attributes<MPI_Comm>;
extern template class Attributes<MPI_Datatype>;
extern template class Attributes<MPI_Win>;

namespace objects {

// MPI_Comm_set_attr, MPI_Type_set_attr, MPI_Win_set_attr.
template <class Object, class Handle>
Fault set_attr(Object& object, Keyval<Handle>& keyval, void* value) {
  return object.attributes.set(handle_of(object), keyval, value);
}

template <class Object, class Handle>
Fault get_attr(Object& object, const Keyval<Handle>& keyval, void* value, int* flag) {
  void* found = nullptr;
  *flag = object.attributes.get(keyval, &found);
  if (*flag) *static_cast<void**>(value) = found;
  return {};
}

template <class Object, class Handle>
Fault delete_attr(Object& object, Keyval<Handle>& keyval) {
  return object.attributes.remove(handle_of(object), keyval);
}

}  // namespace objects
}  // namespace atl
