#include "runtime/type/standard.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "datatype/constructors.h"
#include "runtime/type/type_handles.h"

namespace atl::type {
namespace {

using datatype::Combiner;

const Datatype& basic(MPI_Datatype handle) {
  return *datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
}

// --- by size ---

struct Sized {
  int typeclass;
  int size;  // bytes
  MPI_Datatype type;
};

const Sized kSized[] = {
    {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
    {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
    {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
    {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
    {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
    {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
    {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32},
};

// --- by precision and range ---

struct Decimal {
  int precision;  // decimal digits
  int range;      // decimal exponent
  MPI_Datatype type;
};

// The kinds that Fortran compilers choose on this architecture; 18 digits is the x87 format.
const Decimal kReals[] = {
    {6, 37, MPI_REAL4}, {15, 307, MPI_REAL8}, {18, 4931, MPI_LONG_DOUBLE}, {33, 4931, MPI_REAL16}};
const Decimal kComplexes[] = {{6, 37, MPI_COMPLEX8},
                              {15, 307, MPI_COMPLEX16},
                              {18, 4931, MPI_C_LONG_DOUBLE_COMPLEX},
                              {33, 4931, MPI_COMPLEX32}};
const Decimal kIntegers[] = {{0, 2, MPI_INTEGER1},
                             {0, 4, MPI_INTEGER2},
                             {0, 9, MPI_INTEGER4},
                             {0, 18, MPI_INTEGER8},
                             {0, 38, MPI_INTEGER16}};

MPI_Datatype f90_type(Combiner combiner, std::span<const datatype::Count> arguments,
                      MPI_Datatype like) {
  using Key = std::tuple<Combiner, datatype::Count, datatype::Count>;
  static std::map<Key, MPI_Datatype> made;
  MPI_Datatype& handle = made[Key(combiner, arguments.front(), arguments.back())];
  if (handle == nullptr) {
    datatype::Made type = datatype::make_f90(combiner, arguments, basic(like));
    handle = datatypes.add_predefined(std::move(type.type)).handle;
  }
  return handle;
}

Error floating(Combiner combiner, std::span<const Decimal> types, int p, int r,
               MPI_Datatype* newtype) {
  if (p == MPI_UNDEFINED && r == MPI_UNDEFINED) {
    return make_error(MPI_ERR_ARG, "p and r are both MPI_UNDEFINED");
  }
  const auto found = std::ranges::find_if(types, [=](const Decimal& type) {
    return (p == MPI_UNDEFINED || p <= type.precision) && (r == MPI_UNDEFINED || r <= type.range);
  });
  const bool p_fits = p == MPI_UNDEFINED || (p >= 0 && p <= types.back().precision);
  const bool r_fits = r == MPI_UNDEFINED || (r >= 0 && r <= types.back().range);
  if (!p_fits) return make_error(MPI_ERR_ARG, "p=%d: no type has so many decimal digits", p);
  if (!r_fits) return make_error(MPI_ERR_ARG, "r=%d: no type has such a decimal exponent", r);
  const datatype::Count arguments[] = {p, r};
  *newtype = f90_type(combiner, arguments, found->type);
  return {};
}

// --- value and index ---

struct Pair {
  MPI_Datatype value;
  MPI_Datatype index;
  MPI_Datatype type;
};

const Pair kNamedPairs[] = {
    {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
    {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
    {MPI_LONG, MPI_INT, MPI_LONG_INT},
    {MPI_INT, MPI_INT, MPI_2INT},
    {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
    {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
    {MPI_REAL, MPI_REAL, MPI_2REAL},
    {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
    {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
};

// Whether `type` is a predefined type with an order: an integer, or, with `reals`, a real.
bool is_one_of(const Datatype& type, bool reals) {
  const auto* value = std::get_if<datatype::Basic>(&type.structure());
  if (value == nullptr || value->parts != 1) return false;
  return value->kind == datatype::Kind::integer ||
         (reals && value->kind == datatype::Kind::floating);
}

}  // namespace

Error match_size(int typeclass, int size, MPI_Datatype* datatype) {
  if (typeclass < MPI_TYPECLASS_INTEGER || typeclass > MPI_TYPECLASS_COMPLEX) {
    return make_error(MPI_ERR_ARG, "typeclass=%d is not a class of types", typeclass);
  }
  for (const Sized& one : kSized) {
    if (one.typeclass != typeclass || one.size != size) continue;
    *datatype = one.type;
    return {};
  }
  return make_error(MPI_ERR_ARG, "size=%d: no type of this class has so many bytes", size);
}

Error create_f90_real(int p, int r, MPI_Datatype* newtype) {
  return floating(Combiner::f90_real, kReals, p, r, newtype);
}

Error create_f90_complex(int p, int r, MPI_Datatype* newtype) {
  return floating(Combiner::f90_complex, kComplexes, p, r, newtype);
}

Error create_f90_integer(int r, MPI_Datatype* newtype) {
  for (const Decimal& one : kIntegers) {
    if (r < 0 || r > one.range) continue;
    const datatype::Count arguments[] = {r};
    *newtype = f90_type(Combiner::f90_integer, arguments, one.type);
    return {};
  }
  return make_error(MPI_ERR_ARG, "r=%d: no integer type has such a range", r);
}

Error get_value_index(const Datatype& value_type, const Datatype& index_type,
                      MPI_Datatype* pair_type) {
  static std::map<std::pair<const Datatype*, const Datatype*>, MPI_Datatype> made;
  for (const Pair& pair : kNamedPairs) {
    if (&basic(pair.value) != &value_type || &basic(pair.index) != &index_type) continue;
    *pair_type = pair.type;
    return {};
  }
  *pair_type = MPI_DATATYPE_NULL;
  if (!is_one_of(value_type, true) || !is_one_of(index_type, false)) return {};
  MPI_Datatype& handle = made[{&value_type, &index_type}];
  if (handle == nullptr) {
    datatype::Made type = datatype::make_value_index(value_type, index_type);
    handle = datatypes.add_predefined(std::move(type.type)).handle;
  }
  *pair_type = handle;
  return {};
}

}  // namespace atl::type
