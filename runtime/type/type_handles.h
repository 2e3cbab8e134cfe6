// The handle MPI_Datatype: the ABI's number of a predefined type, or the handle of a TypeObject in
// a table.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "datatype/predefined.h"
#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/attributes.h"

namespace atl {

// The object behind a handle. Its type is shared with types constructed from it, operations under
// way, and handles returned by MPI_Type_get_contents.
struct TypeObject {
  static constexpr HandleKind kHandleKind = HandleKind::datatype;

  MPI_Datatype handle = MPI_DATATYPE_NULL;
  boost::intrusive_ptr<datatype::Datatype> type = {};
  bool predefined = false;       // by the standard, with or without a name: never freed
  std::uint32_t references = 1;  // the program's handle and reductions under way
  bool freed = false;            // by the program; reductions under way keep the object
  Attributes<MPI_Datatype> attributes = {};
};

inline MPI_Datatype handle_of(const TypeObject& object) { return object.handle; }

class Datatypes {
 public:
  // Releases the unnamed predefined types, so that a leak checker finds only types of the program.
  ~Datatypes() {
    for (const auto& [type, handle] : unnamed_) release(*object(handle));
  }

  // Null when `handle` is not that of a TypeObject in the table.
  const datatype::Datatype* find_made(MPI_Datatype handle) const {
    const TypeObject* object = made(handle);
    return object == nullptr ? nullptr : object->type.get();
  }

  // Also finds an object that was freed while a reduction keeps it, since the user function may
  // inquire about it.
  TypeObject* made(MPI_Datatype handle) const {
    return made_.find(reinterpret_cast<std::uintptr_t>(handle));
  }

  // Any type; null when `handle` is not a datatype.
  const datatype::Datatype* find(MPI_Datatype handle) const {
    const auto* found = datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
    return found != nullptr ? found : find_made(handle);
  }

  // As find(), but returns the object of the handle.
  TypeObject* object(MPI_Datatype handle);

  MPI_Datatype from_int(int number) const {
    return reinterpret_cast<MPI_Datatype>(made_.from_int(number));
  }

  TypeObject& add(boost::intrusive_ptr<datatype::Datatype> type);
  // Adds an unnamed predefined type.
  TypeObject& add_predefined(boost::intrusive_ptr<datatype::Datatype> type);

  void retain(TypeObject& object) { ++object.references; }
  void release(TypeObject& object) {
    if (--object.references == 0) made_.destroy(object);
  }

  // Calls visit(const TypeObject&) for each type that the program has created and not freed.
  template <class Visit>
  void for_each_made(Visit visit) const {
    made_.for_each([&](const TypeObject& object) {
      if (!object.predefined && !object.freed) visit(object);
    });
  }

  // The handle of a predefined type; MPI_DATATYPE_NULL for others.
  MPI_Datatype predefined_handle(const datatype::Datatype& type) const;

 private:
  HandleTable<TypeObject> made_;
  std::unordered_map<MPI_Datatype, TypeObject> named_;  // added when object() is first called
  std::unordered_map<const datatype::Datatype*, MPI_Datatype> unnamed_;
};

inline Datatypes datatypes;

template <>
inline MPI_Datatype handle_from_int(int number) {
  return datatypes.from_int(number);
}

// For error messages: the name of the type, or a text that it has none.
std::string label(const datatype::Datatype& type);

}  // namespace atl
