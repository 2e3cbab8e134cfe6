#include "runtime/rma/element_update.h"

#include <variant>

#include "runtime/type/type_handles.h"

namespace atl::rma {
namespace {

// Types whose values have the same representation, such as MPI_INT and MPI_INTEGER.
bool alike(const Datatype& one, const Datatype& other) {
  const auto* a = std::get_if<datatype::Basic>(&one.structure());
  const auto* b = std::get_if<datatype::Basic>(&other.structure());
  if (a == nullptr || b == nullptr) return &one == &other;
  return a->format == b->format && a->width == b->width && a->parts == b->parts;
}

// A named type: what MPI_Type_create_f90_real gives has the type that it stands for as its child.
const Datatype& named_type(const Datatype& predefined) {
  return predefined.derived() && predefined.children().size() == 1 ? *predefined.children()[0]
                                                                   : predefined;
}

// The predefined type of all elements; null when there are several, or none.
const Datatype* only_element(const Datatype& type) {
  if (is_predefined(type)) return &named_type(type);
  const auto* fields = std::get_if<datatype::Fields>(&type.structure());
  const Datatype* only = nullptr;
  for (std::size_t i = 0; i < type.children().size(); ++i) {
    const Datatype& child = *type.children()[i];
    if (child.size() == 0 || (fields != nullptr && fields->blocklengths[i] == 0)) continue;
    const Datatype* element = only_element(child);
    if (element == nullptr || (only != nullptr && !alike(*only, *element))) return nullptr;
    only = element;
  }
  return only;
}

bool is_integer(const Datatype& type) {
  const auto* basic = std::get_if<datatype::Basic>(&type.structure());
  return basic != nullptr && basic->kind == datatype::Kind::integer;
}

}  // namespace

bool is_predefined(const Datatype& type) {
  using datatype::Combiner;
  if (!type.derived()) return true;
  const Combiner combiner = type.contents().combiner;
  return combiner == Combiner::f90_real || combiner == Combiner::f90_complex ||
         combiner == Combiner::f90_integer || combiner == Combiner::value_index;
}

const Datatype* predefined_element(const Datatype& type) {
  return is_predefined(type) ? &named_type(type) : nullptr;
}

Error find_update(const Op& operation, const Datatype& type, ElementUpdate& update) {
  if (__builtin_expect(!operation.predefined, 0)) {
    return make_error(MPI_ERR_OP,
                      "op is not predefined: accumulates take only predefined operations");
  }
  update.code = operation.code;
  update.element = only_element(type);
  if (__builtin_expect(update.element == nullptr, 0)) {
    if (type.size() == 0) {
      update.element = &type;
      return {};
    }
    return make_error(MPI_ERR_TYPE,
                      "target_datatype=%s: accumulates need elements of one predefined type",
                      label(type).c_str());
  }
  if (update.code == op::Code::replace || update.code == op::Code::no_op) return {};
  update.kernel = op::kernel_of(operation, *update.element);
  update.adds = update.code == op::Code::sum && is_integer(*update.element);
  if (__builtin_expect(update.kernel == nullptr, 0)) {
    return make_error(MPI_ERR_OP, "op=%s is not defined on %s", op::name_of(update.code),
                      label(*update.element).c_str());
  }
  return {};
}

}  // namespace atl::rma
