// The standard's operations on the standard's types (MPI 5.0, 6.9.2 and 6.9.4), computed
// with wide integers. Values of reals and complex numbers are small integers, so that
// they are exact in every format and order.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "test/pattern.h"

namespace coll {

enum class Group { c_integer, integer, real, logical, complex, byte, pair, none };

// A value: of complex ones both parts, of pairs value and index.
struct Number {
  __int128 first = 0;
  __int128 second = 0;
  bool operator==(const Number&) const = default;
};

struct StandardType {
  const char* name;
  MPI_Datatype handle;
  Group group;
  std::size_t bytes;  // from element to element
  Number (*get)(const std::byte* at);
  void (*put)(const Number& number, std::byte* at);

  // As the type holds it: integers wrap.
  Number held(const Number& number) const {
    std::byte memory[64];
    put(number, memory);
    return get(memory);
  }
};

struct StandardOp {
  const char* name;
  MPI_Op handle;
  bool (*takes)(Group group);
  Number (*apply)(Group group, const Number& a, const Number& b);
};

// --- how values lie in memory ---

template <class T>
Number get_one(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return {static_cast<__int128>(value), 0};
}
template <class T>
void put_one(const Number& number, std::byte* at) {
  const T value = static_cast<T>(number.first);
  std::memcpy(at, &value, sizeof value);
}

template <class V, class I>
struct Both {
  V first;
  I second;
};
template <class V, class I>
Number get_two(const std::byte* at) {
  Both<V, I> both;
  std::memcpy(&both, at, sizeof both);
  return {static_cast<__int128>(both.first), static_cast<__int128>(both.second)};
}
template <class V, class I>
void put_two(const Number& number, std::byte* at) {
  Both<V, I> both;
  both.first = static_cast<V>(number.first);
  both.second = static_cast<I>(number.second);
  std::memcpy(at, &both, sizeof both);
}

// Types that an MPI does not have are MPI_DATATYPE_NULL.
class StandardTypes {
 public:
  StandardTypes();
  const std::vector<StandardType>& all() const { return all_; }

 private:
  template <class T>
  void one(const char* name, MPI_Datatype handle, Group group) {
    if (handle == MPI_DATATYPE_NULL) return;
    all_.push_back({name, handle, group, sizeof(T), get_one<T>, put_one<T>});
  }
  template <class V, class I>
  void two(const char* name, MPI_Datatype handle, Group group) {
    if (handle == MPI_DATATYPE_NULL) return;
    all_.push_back({name, handle, group, sizeof(Both<V, I>), get_two<V, I>, put_two<V, I>});
  }
  void add_integers();
  void add_reals();
  void add_logicals();
  void add_complex();
  void add_pairs();
  void add_others();

  std::vector<StandardType> all_;
};

#define ONE(T, handle, group) one<T>(#handle, handle, Group::group)
#define TWO(V, I, handle, group) two<V, I>(#handle, handle, Group::group)

inline void StandardTypes::add_integers() {
  ONE(signed char, MPI_SIGNED_CHAR, c_integer);
  ONE(unsigned char, MPI_UNSIGNED_CHAR, c_integer);
  ONE(short, MPI_SHORT, c_integer);
  ONE(unsigned short, MPI_UNSIGNED_SHORT, c_integer);
  ONE(int, MPI_INT, c_integer);
  ONE(unsigned, MPI_UNSIGNED, c_integer);
  ONE(long, MPI_LONG, c_integer);
  ONE(unsigned long, MPI_UNSIGNED_LONG, c_integer);
  ONE(long long, MPI_LONG_LONG, c_integer);
  ONE(long long, MPI_LONG_LONG_INT, c_integer);
  ONE(unsigned long long, MPI_UNSIGNED_LONG_LONG, c_integer);
  ONE(std::int8_t, MPI_INT8_T, c_integer);
  ONE(std::uint8_t, MPI_UINT8_T, c_integer);
  ONE(std::int16_t, MPI_INT16_T, c_integer);
  ONE(std::uint16_t, MPI_UINT16_T, c_integer);
  ONE(std::int32_t, MPI_INT32_T, c_integer);
  ONE(std::uint32_t, MPI_UINT32_T, c_integer);
  ONE(std::int64_t, MPI_INT64_T, c_integer);
  ONE(std::uint64_t, MPI_UINT64_T, c_integer);
  ONE(int, MPI_INTEGER, integer);
  ONE(std::int8_t, MPI_INTEGER1, integer);
  ONE(std::int16_t, MPI_INTEGER2, integer);
  ONE(std::int32_t, MPI_INTEGER4, integer);
  ONE(std::int64_t, MPI_INTEGER8, integer);
  ONE(__int128, MPI_INTEGER16, integer);
  ONE(MPI_Aint, MPI_AINT, c_integer);
  ONE(MPI_Offset, MPI_OFFSET, c_integer);
  ONE(MPI_Count, MPI_COUNT, c_integer);
  MPI_Datatype kind;
  MPI_Type_create_f90_integer(9, &kind);
  one<std::int32_t>("an INTEGER of 9 digits", kind, Group::integer);
  MPI_Type_create_f90_integer(18, &kind);
  one<std::int64_t>("an INTEGER of 18 digits", kind, Group::integer);
}

inline void StandardTypes::add_reals() {
  ONE(float, MPI_FLOAT, real);
  ONE(double, MPI_DOUBLE, real);
  ONE(long double, MPI_LONG_DOUBLE, real);
  ONE(float, MPI_REAL, real);
  ONE(double, MPI_DOUBLE_PRECISION, real);
  ONE(float, MPI_REAL4, real);
  ONE(double, MPI_REAL8, real);
#ifdef MPI_REAL2
  ONE(_Float16, MPI_REAL2, real);
  ONE(__float128, MPI_REAL16, real);  // to MPICH 4.0 it is a long double
#endif
  MPI_Datatype kind;
  MPI_Type_create_f90_real(6, 30, &kind);
  one<float>("a REAL of 6 digits", kind, Group::real);
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &kind);
  one<double>("a REAL of 15 digits", kind, Group::real);
}

inline void StandardTypes::add_logicals() {
  ONE(bool, MPI_C_BOOL, logical);
  ONE(bool, MPI_CXX_BOOL, logical);
  ONE(int, MPI_LOGICAL, logical);
#ifdef MPI_LOGICAL1
  ONE(std::int8_t, MPI_LOGICAL1, logical);
  ONE(std::int16_t, MPI_LOGICAL2, logical);
  ONE(std::int32_t, MPI_LOGICAL4, logical);
  ONE(std::int64_t, MPI_LOGICAL8, logical);
  ONE(__int128, MPI_LOGICAL16, logical);
#endif
}

inline void StandardTypes::add_complex() {
  TWO(float, float, MPI_C_COMPLEX, complex);
  TWO(float, float, MPI_C_FLOAT_COMPLEX, complex);
  TWO(double, double, MPI_C_DOUBLE_COMPLEX, complex);
  TWO(long double, long double, MPI_C_LONG_DOUBLE_COMPLEX, complex);
  TWO(float, float, MPI_CXX_FLOAT_COMPLEX, complex);
  TWO(double, double, MPI_CXX_DOUBLE_COMPLEX, complex);
  TWO(long double, long double, MPI_CXX_LONG_DOUBLE_COMPLEX, complex);
  TWO(float, float, MPI_COMPLEX, complex);
  TWO(double, double, MPI_DOUBLE_COMPLEX, complex);
  TWO(float, float, MPI_COMPLEX8, complex);
  TWO(double, double, MPI_COMPLEX16, complex);
#ifdef MPI_COMPLEX4
  TWO(_Float16, _Float16, MPI_COMPLEX4, complex);
  TWO(__float128, __float128, MPI_COMPLEX32, complex);  // MPICH 4.0 has no operation on it
#endif
  MPI_Datatype kind;
  MPI_Type_create_f90_complex(15, 307, &kind);
  two<double, double>("a COMPLEX of 15 digits", kind, Group::complex);
}

inline void StandardTypes::add_pairs() {
  TWO(float, int, MPI_FLOAT_INT, pair);
  TWO(double, int, MPI_DOUBLE_INT, pair);
  TWO(long, int, MPI_LONG_INT, pair);
  TWO(int, int, MPI_2INT, pair);
  TWO(short, int, MPI_SHORT_INT, pair);
  TWO(long double, int, MPI_LONG_DOUBLE_INT, pair);
  TWO(float, float, MPI_2REAL, pair);
  TWO(double, double, MPI_2DOUBLE_PRECISION, pair);
  TWO(int, int, MPI_2INTEGER, pair);
#if MPI_LEVEL >= 41
  MPI_Datatype made;
  MPI_Type_get_value_index(MPI_UINT64_T, MPI_INT16_T, &made);
  two<std::uint64_t, std::int16_t>("MPI_UINT64_T with MPI_INT16_T", made, Group::pair);
  MPI_Type_get_value_index(MPI_INT8_T, MPI_COUNT, &made);
  two<std::int8_t, MPI_Count>("MPI_INT8_T with MPI_COUNT", made, Group::pair);
#endif
}

// On which no operation of the standard works.
inline void StandardTypes::add_others() {
  ONE(unsigned char, MPI_BYTE, byte);
  ONE(char, MPI_CHAR, none);
  ONE(wchar_t, MPI_WCHAR, none);
  ONE(char, MPI_CHARACTER, none);
  ONE(char, MPI_PACKED, none);
}

inline StandardTypes::StandardTypes() {
  add_integers();
  add_reals();
  add_logicals();
  add_complex();
  add_pairs();
  add_others();
}

#undef ONE
#undef TWO

// --- what the operations make of them ---

using Wrapping = unsigned __int128;

inline bool is_number(Group group) {
  return group == Group::c_integer || group == Group::integer || group == Group::real;
}
inline bool can_add(Group group) { return is_number(group) || group == Group::complex; }
inline bool is_truth(Group group) { return group == Group::c_integer || group == Group::logical; }
inline bool has_bits(Group group) {
  return group == Group::c_integer || group == Group::integer || group == Group::byte;
}
inline bool is_pair(Group group) { return group == Group::pair; }
inline bool is_nothing(Group) { return false; }

inline Number sum_of(Group, const Number& a, const Number& b) {
  return {__int128(Wrapping(a.first) + Wrapping(b.first)), a.second + b.second};
}
inline Number product_of(Group group, const Number& a, const Number& b) {
  if (group != Group::complex) return {__int128(Wrapping(a.first) * Wrapping(b.first)), 0};
  return {a.first * b.first - a.second * b.second, a.first * b.second + a.second * b.first};
}
inline Number least(Group, const Number& a, const Number& b) {
  if (a.first == b.first) return {a.first, std::min(a.second, b.second)};
  return a.first < b.first ? a : b;
}
inline Number greatest(Group, const Number& a, const Number& b) {
  if (a.first == b.first) return {a.first, std::min(a.second, b.second)};
  return a.first > b.first ? a : b;
}

inline const std::vector<StandardOp>& standard_operations() {
  using N = const Number&;
  static const std::vector<StandardOp> all = {
      {"MPI_MAX", MPI_MAX, is_number, greatest},
      {"MPI_MIN", MPI_MIN, is_number, least},
      {"MPI_SUM", MPI_SUM, can_add, sum_of},
      {"MPI_PROD", MPI_PROD, can_add, product_of},
      {"MPI_LAND", MPI_LAND, is_truth,
       [](Group, N a, N b) { return Number{a.first != 0 && b.first != 0}; }},
      {"MPI_LOR", MPI_LOR, is_truth,
       [](Group, N a, N b) { return Number{a.first != 0 || b.first != 0}; }},
      {"MPI_LXOR", MPI_LXOR, is_truth,
       [](Group, N a, N b) { return Number{(a.first != 0) != (b.first != 0)}; }},
      {"MPI_BAND", MPI_BAND, has_bits, [](Group, N a, N b) { return Number{a.first & b.first}; }},
      {"MPI_BOR", MPI_BOR, has_bits, [](Group, N a, N b) { return Number{a.first | b.first}; }},
      {"MPI_BXOR", MPI_BXOR, has_bits, [](Group, N a, N b) { return Number{a.first ^ b.first}; }},
      {"MPI_MINLOC", MPI_MINLOC, is_pair, least},
      {"MPI_MAXLOC", MPI_MAXLOC, is_pair, greatest},
      {"MPI_REPLACE", MPI_REPLACE, is_nothing, nullptr},  // only for one-sided communication
      {"MPI_NO_OP", MPI_NO_OP, is_nothing, nullptr},
  };
  return all;
}

// What one of `ranks` contributes: rarely a zero where one decides, or a factor that grows.
inline Number draw_number(check::Random& random, const StandardType& type, MPI_Op op, int ranks) {
  const auto any = [&](int bound) { return __int128(random.below(2 * bound + 1)) - bound; };
  const auto sign = [&] { return random.one_in(2) ? 1 : -1; };
  const bool rarely = random.one_in(2 * ranks);
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) {
    const bool truth = op == MPI_LAND ? !rarely : op == MPI_LOR ? rarely : random.one_in(2);
    if (!truth) return {};
    return {type.group == Group::c_integer ? 1 + __int128(random.below(100)) : 1};
  }
  switch (type.group) {
    case Group::real: return {op == MPI_PROD ? sign() * (rarely ? 2 : 1) : any(30)};
    case Group::complex:
      if (op == MPI_SUM) return {any(30), any(30)};
      if (rarely) return {sign(), sign()};
      return random.one_in(2) ? Number{sign(), 0} : Number{0, sign()};
    case Group::pair: return type.held({any(2), __int128(random.below(50))});
    default: break;
  }
  const Number any_bits = type.held({__int128(Wrapping(random.next()) << 64 | random.next())});
  // MPICH 4.0 compares integers without sign as if they had one.
  return check::on_atoll() ? any_bits : type.held({any_bits.first / 2});
}

}  // namespace coll
