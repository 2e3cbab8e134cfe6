#include "runtime/type/lifetime.h"

#include "runtime/objects/names.h"
#include "runtime/type/constructor_calls.h"

namespace atl::type {

Error commit(MPI_Datatype* datatype) {
  datatypes.object(*datatype)->type->commit();  // no effect on committed types
  return {};
}

Error dup(TypeObject& oldtype, MPI_Datatype* newtype) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (Error error = hand_out(datatype::make_dup(*oldtype.type), &made)) return error;
  TypeObject& copy = *datatypes.object(made);
  if (Error error = oldtype.attributes.copy_to(copy.attributes, oldtype.handle, made)) {
    datatypes.release(copy);
    return error;
  }
  *newtype = made;
  return {};
}

Error free(MPI_Datatype* datatype) {
  TypeObject* object = datatypes.object(*datatype);
  if (object->predefined) {
    return make_error(MPI_ERR_TYPE, "datatype=%s is predefined and cannot be freed",
                      label(*object->type).c_str());
  }
  if (object->freed) return bad_handle(HandleKind::datatype, "datatype", *datatype);
  if (Error error = object->attributes.remove_all(*datatype)) return error;
  object = datatypes.object(*datatype);  // the callbacks may have freed it
  if (object != nullptr && !object->freed) {
    object->freed = true;
    datatypes.release(*object);
  }
  *datatype = MPI_DATATYPE_NULL;
  return {};
}

Error set_name(TypeObject& datatype, const char* type_name) {
  datatype.type->set_name(kept_name(type_name));
  return {};
}

Error get_name(const Datatype* datatype, char* type_name, int* resultlen) {
  give_name(datatype == nullptr ? null_handle_name(HandleKind::datatype) : datatype->name(),
            type_name, resultlen);
  return {};
}

}  // namespace atl::type
