// The operands of predefined operations: the datatypes of MPI 5.0, 6.9.2 and 6.9.4, by the C++ type
// of their elements.
#pragma once

#include <cstdint>
#include <optional>

#include "datatype/datatype.h"

namespace atl::op {

// The standard's groups of datatypes. Datatypes in none of them (characters, derived types) have
// no Operand.
enum class Group : std::uint8_t {
  c_integer,  // and the multi-language types MPI_AINT, MPI_OFFSET and MPI_COUNT, on which the same
              // operations are defined
  integer,    // of Fortran
  floating,   // of C and Fortran
  logical,    // of C, C++ and Fortran: zero is false
  complex,
  byte,
  pair,  // a value and its index: MPI_MINLOC, MPI_MAXLOC
};

// The type of a number, or of each part of a complex value.
enum class Element : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  i128,
  f16,
  f32,
  f64,
  f80,
  f128
};

struct Operand {
  Group group;
  Element element;
  Element index = Element::i32;  // pair: the second member of the struct; `element` is the first
};

// Empty when no predefined operation is defined on the type.
std::optional<Operand> operand_of(const datatype::Datatype& type);

}  // namespace atl::op
