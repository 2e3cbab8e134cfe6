#include "runtime/op/operand.h"

#include <mpi.h>

#include "datatype/predefined.h"

namespace atl::op {
namespace {

using datatype::Combiner;
using datatype::Datatype;

bool is_one_of(const Datatype& type, std::initializer_list<MPI_Datatype> handles) {
  for (const MPI_Datatype handle : handles) {
    if (datatype::predefined(reinterpret_cast<std::uintptr_t>(handle)) == &type) return true;
  }
  return false;
}

bool is_text(const Datatype& type) {
  return is_one_of(type, {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED});
}

bool is_logical(const Datatype& type) {
  return is_one_of(type, {MPI_LOGICAL, MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL1, MPI_LOGICAL2,
                          MPI_LOGICAL4, MPI_LOGICAL8, MPI_LOGICAL16});
}

bool is_of_fortran(const Datatype& type) {
  return is_one_of(
      type, {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_INTEGER16});
}

Element integer(const datatype::Basic& basic) {
  const bool is_signed = basic.format == datatype::Format::signed_integer;
  switch (basic.width) {
    case 1: return is_signed ? Element::i8 : Element::u8;
    case 2: return is_signed ? Element::i16 : Element::u16;
    case 4: return is_signed ? Element::i32 : Element::u32;
    case 8: return is_signed ? Element::i64 : Element::u64;
    default: return Element::i128;
  }
}

Element floating(const datatype::Basic& basic) {
  switch (basic.width) {
    case 2: return Element::f16;
    case 4: return Element::f32;
    case 8: return Element::f64;
    default: return basic.format == datatype::Format::x87 ? Element::f80 : Element::f128;
  }
}

Operand basic_operand(const Datatype& type, const datatype::Basic& basic) {
  switch (basic.kind) {
    case datatype::Kind::bytes: return {Group::byte, Element::u8};
    case datatype::Kind::integer:
      if (is_logical(type)) return {Group::logical, integer(basic)};
      return {is_of_fortran(type) ? Group::integer : Group::c_integer, integer(basic)};
    case datatype::Kind::floating: break;
  }
  return {basic.parts == 2 ? Group::complex : Group::floating, floating(basic)};
}

// The operand of MPI_FLOAT_INT and similar structs.
std::optional<Operand> pair_operand(const Datatype& type) {
  if (type.children().size() != 2) return {};
  const auto value = operand_of(*type.children()[0]);
  const auto index = operand_of(*type.children()[1]);
  if (!value || !index) return {};
  return Operand{Group::pair, value->element, index->element};
}

}  // namespace

std::optional<Operand> operand_of(const Datatype& type) {
  switch (type.contents().combiner) {
    case Combiner::named: break;
    case Combiner::value_index: return pair_operand(type);
    // The same values under a different datatype.
    case Combiner::dup:
    case Combiner::f90_real:
    case Combiner::f90_complex:
    case Combiner::f90_integer: return operand_of(*type.children()[0]);
    default: return {};
  }
  if (is_text(type)) return {};
  if (const auto* basic = std::get_if<datatype::Basic>(&type.structure())) {
    return basic_operand(type, *basic);
  }
  return pair_operand(type);
}

}  // namespace atl::op
