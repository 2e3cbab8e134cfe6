// Lower and upper bound, extent and true extent of a type map (MPI 5.0, 5.1.7 and 5.1.8; the
// sticky rules of MPI-1 for MPI_LB and MPI_UB), computed from the bounds of the parts without
// a walk over the type map.
#pragma once

#include <algorithm>
#include <optional>

#include "datatype/problem.h"

namespace atl::datatype {

class Bounds {
 public:
  Bounds() = default;  // of an empty type map

  // The bounds of one basic value, whose address must be a multiple of `alignment`.
  static Bounds of_value(Count bytes, Count alignment);
  static Bounds of_lower_marker();
  static Bounds of_upper_marker();

  // Adds copies of a part, of which the extreme displacements are `first` and `last`. False when a
  // bound would exceed 64 bits; then nothing changes.
  bool add(const Bounds& part, Wide first, Wide last);

  // MPI_Type_create_resized: markers at `lb` and `lb + extent` replace all others.
  bool resize(Count lb, Count extent);

  // Whether extent and true extent fit into 64 bits.
  bool valid() const;

  Count lower() const;
  Count upper() const;
  Count extent() const { return upper() - lower(); }
  Count true_lower() const { return data_.low; }
  Count true_extent() const { return data_.high - data_.low; }
  Count alignment() const { return alignment_; }
  bool has_lower_marker() const { return lower_marker_.has_value(); }
  bool has_upper_marker() const { return upper_marker_.has_value(); }

 private:
  struct Range {
    bool covers(Wide first, Wide last);  // false on overflow
    Count low = 0;
    Count high = 0;
    bool empty = true;
  };

  Wide wide_upper() const;

  Range data_;     // values of at least one byte
  Range entries_;  // all entries of the type map, markers too
  std::optional<Count> lower_marker_;
  std::optional<Count> upper_marker_;
  Count alignment_ = 1;
};

}  // namespace atl::datatype
