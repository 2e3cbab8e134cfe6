#include "runtime/type/type_handles.h"

#include <utility>

namespace atl {

using datatype::Datatype;

TypeObject* Datatypes::object(MPI_Datatype handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (Datatype* named = datatype::predefined(number)) {
    TypeObject& object = named_[handle];
    object.handle = handle;
    object.type = named;
    object.predefined = true;
    return &object;
  }
  return made_.find(number);
}

TypeObject& Datatypes::add(boost::intrusive_ptr<Datatype> type) {
  TypeObject& object = made_.create();
  object.handle = reinterpret_cast<MPI_Datatype>(HandleTable<TypeObject>::handle(object));
  object.type = std::move(type);
  return object;
}

TypeObject& Datatypes::add_predefined(boost::intrusive_ptr<Datatype> type) {
  TypeObject& object = add(std::move(type));
  object.predefined = true;
  unnamed_[object.type.get()] = object.handle;
  return object;
}

MPI_Datatype Datatypes::predefined_handle(const Datatype& type) const {
  for (std::size_t i = 0; i < datatype::kPredefined.size(); ++i) {
    if (datatype::kPredefined[i] == &type) {
      return reinterpret_cast<MPI_Datatype>(datatype::kFirstPredefined + i);
    }
  }
  const auto unnamed = unnamed_.find(&type);
  return unnamed == unnamed_.end() ? MPI_DATATYPE_NULL : unnamed->second;
}

std::string label(const Datatype& type) {
  return type.name().empty() ? "a datatype without a name" : type.name();
}

}  // namespace atl
