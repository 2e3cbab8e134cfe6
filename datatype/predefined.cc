#include "datatype/predefined.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "datatype/constructors.h"

namespace atl::datatype {
namespace {

constexpr std::uintptr_t kByte = 583;

template <class Real>
constexpr Format format_of = std::is_same_v<Real, long double> ? Format::x87 : Format::ieee;

constexpr Kind kind_of(Format format) {
  if (format == Format::bytes) return Kind::bytes;
  return format == Format::ieee || format == Format::x87 ? Kind::floating : Kind::integer;
}

// Makes the types. They are never destroyed, because destructors that run at exit may call MPI.
class Maker {
 public:
  PredefinedTable make() {
    add_integers();
    add_reals();
    add_pairs();
    add_markers();
    return table_;
  }

 private:
  Datatype& entry(std::uintptr_t handle) { return *table_[handle - kFirstPredefined]; }

  void keep(std::uintptr_t handle, const char* name, Datatype* type) {
    intrusive_ptr_add_ref(type);  // never released
    type->set_name(name);
    type->commit();
    table_[handle - kFirstPredefined] = type;
  }

  // A value of `size` bytes, with `external` bytes in external32.
  void value(std::uintptr_t handle, const char* name, Format format, std::size_t size,
             std::size_t external, std::size_t parts = 1) {
    const Kind kind = kind_of(format);
    const Basic basic{kind, format, static_cast<std::uint8_t>(size / parts),
                      static_cast<std::uint8_t>(external / parts),
                      static_cast<std::uint8_t>(parts)};
    const auto bytes = static_cast<Count>(size);
    const Count alignment = std::min<Count>(basic.width, alignof(std::max_align_t));
    keep(handle, name,
         new Datatype({.structure = basic,
                       .bounds = Bounds::of_value(bytes, alignment),
                       .size = size,
                       .values = 1,
                       .signature = {basic_signature(kind, basic.width), parts}}));
  }

  template <class T>
  void integer(std::uintptr_t handle, const char* name, std::size_t external = sizeof(T)) {
    value(handle, name, std::is_signed_v<T> ? Format::signed_integer : Format::unsigned_integer,
          sizeof(T), external);
  }
  template <class T>
  void real(std::uintptr_t handle, const char* name) {
    value(handle, name, format_of<T>, sizeof(T), sizeof(T));
  }
  // A complex number: two consecutive reals.
  template <class T>
  void complex(std::uintptr_t handle, const char* name) {
    value(handle, name, format_of<T>, 2 * sizeof(T), 2 * sizeof(T), 2);
  }

  // A C struct of two values; `first` and `second` are the handles of their types.
  void pair(std::uintptr_t handle, const char* name, std::uintptr_t first, std::uintptr_t second) {
    const Made made = make_value_index(entry(first), entry(second), Combiner::named);
    keep(handle, name, made.type.get());
  }

  void add_integers();
  void add_reals();
  void add_pairs();
  void add_markers();

  PredefinedTable table_{};
};

void Maker::add_integers() {
  value(519, "MPI_PACKED", Format::bytes, 1, 1);
  value(kByte, "MPI_BYTE", Format::bytes, 1, 1);
  integer<std::intptr_t>(513, "MPI_AINT");
  integer<std::int64_t>(514, "MPI_COUNT");
  integer<std::int64_t>(515, "MPI_OFFSET");
  integer<short>(520, "MPI_SHORT");
  integer<int>(521, "MPI_INT");
  integer<long>(522, "MPI_LONG", 4);
  integer<long long>(523, "MPI_LONG_LONG");
  integer<unsigned short>(524, "MPI_UNSIGNED_SHORT");
  integer<unsigned>(525, "MPI_UNSIGNED");
  integer<unsigned long>(526, "MPI_UNSIGNED_LONG", 4);
  integer<unsigned long long>(527, "MPI_UNSIGNED_LONG_LONG");
  integer<bool>(568, "MPI_C_BOOL");
  integer<bool>(569, "MPI_CXX_BOOL");
  integer<std::make_unsigned_t<wchar_t>>(572, "MPI_WCHAR", 2);
  integer<std::int8_t>(576, "MPI_INT8_T");
  integer<std::uint8_t>(577, "MPI_UINT8_T");
  integer<char>(579, "MPI_CHAR");
  integer<signed char>(580, "MPI_SIGNED_CHAR");
  integer<unsigned char>(581, "MPI_UNSIGNED_CHAR");
  integer<std::int16_t>(584, "MPI_INT16_T");
  integer<std::uint16_t>(585, "MPI_UINT16_T");
  integer<std::int32_t>(592, "MPI_INT32_T");
  integer<std::uint32_t>(593, "MPI_UINT32_T");
  integer<std::int64_t>(600, "MPI_INT64_T");
  integer<std::uint64_t>(601, "MPI_UINT64_T");
  // Fortran's default LOGICAL and INTEGER are C's int; CHARACTER is one byte.
  integer<int>(536, "MPI_LOGICAL");
  integer<int>(537, "MPI_INTEGER");
  integer<char>(542, "MPI_CHARACTER");
  integer<std::int8_t>(704, "MPI_LOGICAL1");
  integer<std::int8_t>(705, "MPI_INTEGER1");
  integer<std::int16_t>(712, "MPI_LOGICAL2");
  integer<std::int16_t>(713, "MPI_INTEGER2");
  integer<std::int32_t>(720, "MPI_LOGICAL4");
  integer<std::int32_t>(721, "MPI_INTEGER4");
  integer<std::int64_t>(728, "MPI_LOGICAL8");
  integer<std::int64_t>(729, "MPI_INTEGER8");
  value(736, "MPI_LOGICAL16", Format::signed_integer, 16, 16);
  value(737, "MPI_INTEGER16", Format::signed_integer, 16, 16);
}

void Maker::add_reals() {
  real<float>(528, "MPI_FLOAT");
  real<double>(532, "MPI_DOUBLE");
  real<long double>(544, "MPI_LONG_DOUBLE");
  real<float>(538, "MPI_REAL");
  real<double>(540, "MPI_DOUBLE_PRECISION");
  value(714, "MPI_REAL2", Format::ieee, 2, 2);
  real<float>(722, "MPI_REAL4");
  real<double>(730, "MPI_REAL8");
  value(738, "MPI_REAL16", Format::ieee, 16, 16);
  complex<float>(530, "MPI_C_COMPLEX");
  complex<float>(531, "MPI_CXX_FLOAT_COMPLEX");
  complex<double>(534, "MPI_C_DOUBLE_COMPLEX");
  complex<double>(535, "MPI_CXX_DOUBLE_COMPLEX");
  complex<long double>(548, "MPI_C_LONG_DOUBLE_COMPLEX");
  complex<long double>(549, "MPI_CXX_LONG_DOUBLE_COMPLEX");
  complex<float>(539, "MPI_COMPLEX");
  complex<double>(541, "MPI_DOUBLE_COMPLEX");
  value(723, "MPI_COMPLEX4", Format::ieee, 4, 4, 2);
  complex<float>(731, "MPI_COMPLEX8");
  complex<double>(739, "MPI_COMPLEX16");
  value(747, "MPI_COMPLEX32", Format::ieee, 32, 32, 2);
}

void Maker::add_pairs() {
  pair(552, "MPI_FLOAT_INT", 528, 521);
  pair(553, "MPI_DOUBLE_INT", 532, 521);
  pair(554, "MPI_LONG_INT", 522, 521);
  pair(555, "MPI_2INT", 521, 521);
  pair(556, "MPI_SHORT_INT", 520, 521);
  pair(557, "MPI_LONG_DOUBLE_INT", 544, 521);
  pair(560, "MPI_2REAL", 538, 538);
  pair(561, "MPI_2DOUBLE_PRECISION", 540, 540);
  pair(562, "MPI_2INTEGER", 537, 537);
}

void Maker::add_markers() {
  keep(kLowerBoundMarker, "MPI_LB",
       new Datatype({.structure = Marker{false}, .bounds = Bounds::of_lower_marker()}));
  keep(kUpperBoundMarker, "MPI_UB",
       new Datatype({.structure = Marker{true}, .bounds = Bounds::of_upper_marker()}));
}

}  // namespace

const PredefinedTable kPredefined = Maker().make();

const Datatype& bytes() { return *predefined(kByte); }

}  // namespace atl::datatype
