// What an MPI_Datatype names: a predefined type, by the number that its handle has
// in the ABI, or one that the program made, by its place in a table.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "datatype/predefined.h"
#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/attributes.h"

namespace atl {

// What belongs to a handle. The type behind it is shared with the types made of
// it, with communication under way, and with what MPI_Type_get_contents gave out.
struct TypeObject {
  static constexpr HandleKind kHandleKind = HandleKind::datatype;

  MPI_Datatype handle = MPI_DATATYPE_NULL;
  boost::intrusive_ptr<datatype::Datatype> type = {};
  bool predefined = false;       // by the standard, with or without a name: never freed
  std::uint32_t references = 1;  // the program's handle and reductions under way
  bool freed = false;            // by the program; reductions under way keep it
  Attributes<MPI_Datatype> attributes = {};
};

inline MPI_Datatype handle_of(const TypeObject& object) { return object.handle; }

class Datatypes {
 public:
  // What the standard calls predefined goes; what a leak checker then finds is the program's.
  ~Datatypes() {
    for (const auto& [type, handle] : unnamed_) release(*object(handle));
  }

  // Null when `handle` names no type that was made.
  const datatype::Datatype* find_made(MPI_Datatype handle) const {
    const TypeObject* object = made(handle);
    return object == nullptr ? nullptr : object->type.get();
  }

  // One that was made, also when it was freed but a reduction keeps it, whose function
  // may ask about it.
  TypeObject* made(MPI_Datatype handle) const {
    return made_.find(reinterpret_cast<std::uintptr_t>(handle));
  }

  // Any type; null when `handle` names none.
  const datatype::Datatype* find(MPI_Datatype handle) const {
    const auto* found = datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
    return found != nullptr ? found : find_made(handle);
  }

  // As find(), with what belongs to the handle.
  TypeObject* object(MPI_Datatype handle);

  MPI_Datatype from_int(int number) const {
    return reinterpret_cast<MPI_Datatype>(made_.from_int(number));
  }

  TypeObject& add(boost::intrusive_ptr<datatype::Datatype> type);
  // A type without a name that the standard calls predefined.
  TypeObject& add_predefined(boost::intrusive_ptr<datatype::Datatype> type);

  void retain(TypeObject& object) { ++object.references; }
  void release(TypeObject& object) {
    if (--object.references == 0) made_.destroy(object);
  }

  // Calls visit(const TypeObject&) for each that was made and not freed.
  template <class Visit>
  void for_each_made(Visit visit) const {
    made_.for_each([&](const TypeObject& object) {
      if (!object.predefined && !object.freed) visit(object);
    });
  }

  // The one handle of a predefined type; MPI_DATATYPE_NULL for others.
  MPI_Datatype predefined_handle(const datatype::Datatype& type) const;

 private:
  HandleTable<TypeObject> made_;
  std::unordered_map<MPI_Datatype, TypeObject> named_;  // those that were asked for
  std::unordered_map<const datatype::Datatype*, MPI_Datatype> unnamed_;
};

inline Datatypes datatypes;

template <>
inline MPI_Datatype handle_from_int(int number) {
  return datatypes.from_int(number);
}

// For messages: the name of the type, or that it has none.
std::string label(const datatype::Datatype& type);

}  // namespace atl
