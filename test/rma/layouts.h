// Derived datatypes of one predefined type, and where in memory their values lie by the
// definitions of chapter 5, computed without MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "test/check.h"

namespace rma {

// `starts` are the displacements in bytes of the values of one element, in the order of the
// type signature.
struct Layout {
  std::string name;
  MPI_Datatype type;
  MPI_Aint extent;
  std::vector<MPI_Aint> starts;

  int values() const { return int(starts.size()); }

  // Where value i of consecutive elements lies, counted from the address of the first element.
  MPI_Aint start(int i) const { return i / values() * extent + starts[std::size_t(i % values())]; }
};

// What `values` values take: the first byte and the one behind the last, counted from the address
// of the first element, which is in it.
struct Span {
  MPI_Aint begin = 0, end = 0;
  std::size_t bytes() const { return std::size_t(end - begin); }
};
inline Span span_of(const Layout& layout, int values, std::size_t value_bytes) {
  Span span;
  for (int i = 0; i < values; ++i) {
    span.begin = std::min(span.begin, layout.start(i));
    span.end = std::max(span.end, layout.start(i) + MPI_Aint(value_bytes));
  }
  return span;
}

// Values in each element of the layouts below.
constexpr int kValues = 6;

class Layouts {
 public:
  // Of the type `base`, whose extent is `bytes`.
  Layouts(MPI_Datatype base, std::size_t bytes) : base_(base), bytes_(MPI_Aint(bytes)) {
    add_plain();
    add_vectors();
    add_indexed();
    add_resized();
    add_negative();
  }
  ~Layouts() {
    for (Layout& layout : all_) {
      if (layout.type != base_) MPI_Type_free(&layout.type);
    }
  }
  Layouts(const Layouts&) = delete;
  Layouts& operator=(const Layouts&) = delete;

  const std::vector<Layout>& all() const { return all_; }

 private:
  using Units = std::vector<MPI_Aint>;  // displacements in extents of the base

  void add(const char* name, MPI_Datatype type, MPI_Aint extent, const Units& starts) {
    Layout layout{name, type, extent * bytes_, {}};
    for (MPI_Aint start : starts) layout.starts.push_back(start * bytes_);
    if (type != base_) MPI_Type_commit(&layout.type);
    all_.push_back(layout);
  }

  void add_plain() {
    MPI_Datatype type;
    add("predefined", base_, 1, {0});
    MPI_Type_contiguous(kValues, base_, &type);
    add("contiguous", type, 6, {0, 1, 2, 3, 4, 5});
  }

  void add_vectors() {
    MPI_Datatype type;
    MPI_Type_vector(3, 2, 4, base_, &type);
    add("vector", type, 10, {0, 1, 4, 5, 8, 9});
    const int sizes[] = {4, 5}, part[] = {3, 2}, starts[] = {1, 2};
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, base_, &type);
    add("subarray", type, 20, {7, 8, 12, 13, 17, 18});
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_FORTRAN, base_, &type);
    add("subarray of Fortran", type, 20, {9, 10, 11, 13, 14, 15});
  }

  void add_indexed() {
    MPI_Datatype type;
    const int lengths[] = {1, 3, 2}, places[] = {7, 0, 4}, singles[] = {11, 3, 5, 1, 8, 6};
    MPI_Type_indexed(3, lengths, places, base_, &type);
    add("indexed backwards", type, 8, {7, 0, 1, 2, 4, 5});
    MPI_Type_create_indexed_block(6, 1, singles, base_, &type);
    add("indexed blocks", type, 11, {11, 3, 5, 1, 8, 6});
    MPI_Datatype pair;
    MPI_Type_vector(2, 1, 3, base_, &pair);  // 0 and 3, extent 4
    const MPI_Aint bytes[] = {bytes_, 6 * bytes_, 12 * bytes_};
    const int counts[] = {1, 0, 2};
    const MPI_Datatype types[] = {pair, MPI_DOUBLE, pair};
    MPI_Type_create_struct(3, counts, bytes, types, &type);
    MPI_Type_free(&pair);
    MPI_Datatype sized;  // without the alignment of a structure
    MPI_Type_create_resized(type, 0, 20 * bytes_, &sized);
    MPI_Type_free(&type);
    add("structure", sized, 20, {1, 4, 12, 15, 16, 19});
  }

  // Elements one behind the other with a gap, and each within the gaps of the one before.
  void add_resized() {
    MPI_Datatype dense, column, type;
    MPI_Type_contiguous(kValues, base_, &dense);
    MPI_Type_create_resized(dense, 0, 9 * bytes_, &type);
    MPI_Type_free(&dense);
    add("with a gap", type, 9, {0, 1, 2, 3, 4, 5});
    MPI_Type_vector(kValues, 1, 50, base_, &column);
    MPI_Type_create_resized(column, 0, bytes_, &type);
    MPI_Type_free(&column);
    add("columns", type, 1, {0, 50, 100, 150, 200, 250});
  }

  // Values before the address, and a lower bound that is none of a value.
  void add_negative() {
    MPI_Datatype type, dense;
    const int lengths[] = {4, 2}, places[] = {-7, 1};
    MPI_Type_indexed(2, lengths, places, base_, &type);
    add("before the address", type, 10, {-7, -6, -5, -4, 1, 2});
    MPI_Type_contiguous(kValues, base_, &dense);
    MPI_Type_create_resized(dense, -3 * bytes_, 11 * bytes_, &type);
    MPI_Type_free(&dense);
    add("with a negative lower bound", type, 11, {0, 1, 2, 3, 4, 5});
  }

  MPI_Datatype base_;
  MPI_Aint bytes_;
  std::vector<Layout> all_;
};

}  // namespace rma
