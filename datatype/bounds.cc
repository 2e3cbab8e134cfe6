#include "datatype/bounds.h"

namespace atl::datatype {

Bounds Bounds::of_value(Count bytes, Count alignment) {
  Bounds bounds;
  bounds.data_ = {0, bytes, false};
  bounds.entries_ = bounds.data_;
  bounds.alignment_ = alignment;
  return bounds;
}

Bounds Bounds::of_lower_marker() {
  Bounds bounds;
  bounds.entries_.empty = false;
  bounds.lower_marker_ = 0;
  return bounds;
}

Bounds Bounds::of_upper_marker() {
  Bounds bounds;
  bounds.entries_.empty = false;
  bounds.upper_marker_ = 0;
  return bounds;
}

bool Bounds::Range::covers(Wide first, Wide last) {
  if (!fits(first) || !fits(last)) return false;
  low = empty ? static_cast<Count>(first) : std::min(low, static_cast<Count>(first));
  high = empty ? static_cast<Count>(last) : std::max(high, static_cast<Count>(last));
  empty = false;
  return true;
}

bool Bounds::add(const Bounds& part, Wide first, Wide last) {
  if (part.entries_.empty) return true;
  Bounds sum = *this;
  if (!sum.entries_.covers(first + part.entries_.low, last + part.entries_.high)) return false;
  if (!part.data_.empty && !sum.data_.covers(first + part.data_.low, last + part.data_.high)) {
    return false;
  }
  // An explicit marker of a part overrides natural bounds; among markers the outermost counts.
  if (part.lower_marker_) {
    const Count marker = static_cast<Count>(first + *part.lower_marker_);
    sum.lower_marker_ = std::min(sum.lower_marker_.value_or(marker), marker);
  }
  if (part.upper_marker_) {
    const Count marker = static_cast<Count>(last + *part.upper_marker_);
    sum.upper_marker_ = std::max(sum.upper_marker_.value_or(marker), marker);
  }
  sum.alignment_ = std::max(alignment_, part.alignment_);
  *this = sum;
  return true;
}

bool Bounds::resize(Count lb, Count extent) {
  const Wide upper = Wide{lb} + extent;
  if (!fits(upper)) return false;
  lower_marker_ = lb;
  upper_marker_ = static_cast<Count>(upper);
  entries_ = data_;
  entries_.covers(std::min<Wide>(lb, upper), std::max<Wide>(lb, upper));
  return true;
}

Count Bounds::lower() const { return lower_marker_.value_or(entries_.low); }

// Without a marker the extent is padded to a multiple of the alignment.
Wide Bounds::wide_upper() const {
  if (upper_marker_) return *upper_marker_;
  if (entries_.empty) return lower();
  const Wide extent = Wide{entries_.high} - lower();
  const Wide excess = extent % alignment_;
  return entries_.high + (excess == 0 ? 0 : excess < 0 ? -excess : alignment_ - excess);
}

Count Bounds::upper() const { return static_cast<Count>(wide_upper()); }

bool Bounds::valid() const {
  return fits(wide_upper()) && fits(wide_upper() - lower()) && fits(Wide{data_.high} - data_.low);
}

}  // namespace atl::datatype
