#include "datatype/predefined.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace atl::datatype {
namespace {

constexpr std::uintptr_t kByte = 583;

// Makes the types. They are never destroyed, since MPI may be called from other
// destructors at exit.
class Maker {
 public:
  PredefinedTable make() {
    add_integers();
    add_reals();
    add_pairs();
    return table_;
  }

 private:
  void add(std::uintptr_t handle, const char* name, Kind kind, std::size_t size,
           std::size_t values = 1) {
    const auto extent = static_cast<std::ptrdiff_t>(size);
    table_[handle - kFirstPredefined] =
        new Datatype(name, {{0, size}}, 0, extent, basic_signature(kind, size / values));
  }

  template <class T>
  void integer(std::uintptr_t handle, const char* name) {
    add(handle, name, Kind::integer, sizeof(T));
  }
  template <class T>
  void real(std::uintptr_t handle, const char* name) {
    add(handle, name, Kind::floating, sizeof(T));
  }
  // Two reals in a row.
  template <class T>
  void complex(std::uintptr_t handle, const char* name) {
    add(handle, name, Kind::floating, 2 * sizeof(T), 2);
  }

  // A C struct { First first; Second second; }.
  template <class First, class Second>
  void pair(std::uintptr_t handle, const char* name) {
    struct Layout {
      First first;
      Second second;
    };
    constexpr std::size_t at = offsetof(Layout, second);
    std::vector<Block> blocks{{0, sizeof(First)}};
    if (at == sizeof(First)) {
      blocks[0].bytes += sizeof(Second);
    } else {
      blocks.push_back({static_cast<std::ptrdiff_t>(at), sizeof(Second)});
    }
    const Kind kind = std::is_integral_v<First> ? Kind::integer : Kind::floating;
    const Signature signature = sequence_signature(
        basic_signature(kind, sizeof(First)),
        basic_signature(std::is_integral_v<Second> ? Kind::integer : kind, sizeof(Second)));
    table_[handle - kFirstPredefined] =
        new Datatype(Datatype(name, std::move(blocks), 0, sizeof(Layout), signature)
                         .with_basic_sizes({sizeof(First), sizeof(Second)}));
  }

  void add_integers();
  void add_reals();
  void add_pairs();

  PredefinedTable table_{};
};

void Maker::add_integers() {
  add(519, "MPI_PACKED", Kind::bytes, 1);
  add(kByte, "MPI_BYTE", Kind::bytes, 1);
  integer<std::intptr_t>(513, "MPI_AINT");
  integer<std::int64_t>(514, "MPI_COUNT");
  integer<std::int64_t>(515, "MPI_OFFSET");
  integer<short>(520, "MPI_SHORT");
  integer<int>(521, "MPI_INT");
  integer<long>(522, "MPI_LONG");
  integer<long long>(523, "MPI_LONG_LONG");
  integer<unsigned short>(524, "MPI_UNSIGNED_SHORT");
  integer<unsigned>(525, "MPI_UNSIGNED");
  integer<unsigned long>(526, "MPI_UNSIGNED_LONG");
  integer<unsigned long long>(527, "MPI_UNSIGNED_LONG_LONG");
  integer<bool>(568, "MPI_C_BOOL");
  integer<bool>(569, "MPI_CXX_BOOL");
  integer<wchar_t>(572, "MPI_WCHAR");
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
  add(736, "MPI_LOGICAL16", Kind::integer, 16);
  add(737, "MPI_INTEGER16", Kind::integer, 16);
}

void Maker::add_reals() {
  real<float>(528, "MPI_FLOAT");
  real<double>(532, "MPI_DOUBLE");
  real<long double>(544, "MPI_LONG_DOUBLE");
  real<float>(538, "MPI_REAL");
  real<double>(540, "MPI_DOUBLE_PRECISION");
  add(714, "MPI_REAL2", Kind::floating, 2);
  real<float>(722, "MPI_REAL4");
  real<double>(730, "MPI_REAL8");
  add(738, "MPI_REAL16", Kind::floating, 16);
  complex<float>(530, "MPI_C_FLOAT_COMPLEX");
  complex<float>(531, "MPI_CXX_FLOAT_COMPLEX");
  complex<double>(534, "MPI_C_DOUBLE_COMPLEX");
  complex<double>(535, "MPI_CXX_DOUBLE_COMPLEX");
  complex<long double>(548, "MPI_C_LONG_DOUBLE_COMPLEX");
  complex<long double>(549, "MPI_CXX_LONG_DOUBLE_COMPLEX");
  complex<float>(539, "MPI_COMPLEX");
  complex<double>(541, "MPI_DOUBLE_COMPLEX");
  add(723, "MPI_COMPLEX4", Kind::floating, 4, 2);
  complex<float>(731, "MPI_COMPLEX8");
  complex<double>(739, "MPI_COMPLEX16");
  add(747, "MPI_COMPLEX32", Kind::floating, 32, 2);
}

void Maker::add_pairs() {
  pair<float, int>(552, "MPI_FLOAT_INT");
  pair<double, int>(553, "MPI_DOUBLE_INT");
  pair<long, int>(554, "MPI_LONG_INT");
  pair<int, int>(555, "MPI_2INT");
  pair<short, int>(556, "MPI_SHORT_INT");
  pair<long double, int>(557, "MPI_LONG_DOUBLE_INT");
  pair<float, float>(560, "MPI_2REAL");
  pair<double, double>(561, "MPI_2DOUBLE_PRECISION");
  pair<int, int>(562, "MPI_2INTEGER");
}

}  // namespace

const PredefinedTable kPredefined = Maker().make();

const Datatype& bytes() { return *predefined(kByte); }

}  // namespace atl::datatype
