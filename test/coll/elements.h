// What the oracle's collectives move and combine: elements of four ints, laid out with or
// without a gap behind each, and operations on them whose order counts or not.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"

namespace coll {

constexpr int kInts = 4;
constexpr int kPrime = 9973;

struct Type {
  MPI_Datatype handle;
  int stride;  // ints from element to element
};

inline bool has_gaps(Type type) { return type.stride > kInts; }

inline std::vector<Type> make_types() {
  MPI_Datatype dense;
  MPI_Datatype gap;
  MPI_Type_contiguous(kInts, MPI_INT, &dense);
  MPI_Type_create_resized(dense, 0, (kInts + 2) * sizeof(int), &gap);
  MPI_Type_commit(&dense);
  MPI_Type_commit(&gap);
  return {{dense, kInts}, {gap, kInts + 2}};
}

using Values = std::vector<int>;  // of elements, without gaps

inline int value(int rank, int index) {
  return int((rank * 7919L + index * 104729L + 13) % kPrime);
}

// Element `first` and those behind it of what a rank contributes.
inline Values values(int rank, int count, int first = 0) {
  Values made(static_cast<std::size_t>(count) * kInts);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = value(rank, first * kInts + int(i));
  return made;
}

// A buffer of elements; what lies between and behind them must stay.
class Buffer {
 public:
  Buffer(Type type, int count) : type_(type), ints_(std::size_t(count) * type.stride + 5, -1) {}

  void* address() { return ints_.data(); }

  // Other values where there are any, and those of `from` again.
  void change() {
    for (int& i : ints_) i = i == -1 ? -1 : (i + 1) % kPrime;
  }
  void restore(const Buffer& from) { std::ranges::copy(from.ints_, ints_.begin()); }

  void put(int element, const Values& given) {
    for (std::size_t i = 0; i < given.size(); ++i) ints_[place(element, i)] = given[i];
  }
  // `expected` from `element` on; -1 everywhere else is checked by rest().
  void expect(int element, const Values& expected, const char* what) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      int& found = ints_[place(element, i)];
      if (found != expected[i]) {
        check::fail(__FILE__, __LINE__,
                    std::string(what) + ": int " + std::to_string(i) + " of element " +
                        std::to_string(element) + " is " + std::to_string(found) + ", not " +
                        std::to_string(expected[i]));
        return;
      }
      found = -1;
    }
  }
  void rest() {
    CHECK(std::ranges::all_of(ints_, [](int i) { return i == -1; }));
  }

 private:
  std::size_t place(int element, std::size_t i) const {
    return static_cast<std::size_t>(element) * type_.stride + i / kInts * type_.stride + i % kInts;
  }

  Type type_;
  std::vector<int> ints_;
};

// --- operations on elements ---

inline void add(void* in, void* inout, int* len, MPI_Datatype* type) {
  MPI_Aint lb;
  MPI_Aint extent;
  MPI_Type_get_extent(*type, &lb, &extent);
  for (int e = 0; e < *len; ++e) {
    const int* a = reinterpret_cast<int*>(static_cast<char*>(in) + e * extent);
    int* b = reinterpret_cast<int*>(static_cast<char*>(inout) + e * extent);
    for (int i = 0; i < kInts; ++i) b[i] = (a[i] + b[i]) % kPrime;
  }
}

inline Values product(const Values& a, const Values& b) {
  Values c(a.size());
  for (std::size_t m = 0; m < a.size(); m += 4) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        c[m + 2 * i + j] = (a[m + 2 * i] * b[m + j] + a[m + 2 * i + 1] * b[m + 2 + j]) % kPrime;
      }
    }
  }
  return c;
}

inline Values sum(const Values& a, const Values& b) {
  Values c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] + b[i]) % kPrime;
  return c;
}

// Products of 2 x 2 matrices: the order counts.
inline void multiply(void* in, void* inout, int* len, MPI_Datatype* type) {
  MPI_Aint lb;
  MPI_Aint extent;
  MPI_Type_get_extent(*type, &lb, &extent);
  for (int e = 0; e < *len; ++e) {
    const int* a = reinterpret_cast<int*>(static_cast<char*>(in) + e * extent);
    int* b = reinterpret_cast<int*>(static_cast<char*>(inout) + e * extent);
    const Values c = product(Values(a, a + kInts), Values(b, b + kInts));
    std::ranges::copy(c, b);
  }
}

struct Operation {
  MPI_Op handle;
  Values (*apply)(const Values&, const Values&);
};

inline std::vector<Operation> make_operations() {
  std::vector<Operation> operations = {{MPI_OP_NULL, sum}, {MPI_OP_NULL, product}};
  MPI_Op_create(add, 1, &operations[0].handle);
  MPI_Op_create(multiply, 0, &operations[1].handle);
  return operations;
}

}  // namespace coll
