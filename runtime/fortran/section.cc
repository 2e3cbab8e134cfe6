#include "runtime/fortran/section.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace atl::fortran {
namespace {

// A dimension of items at a constant stride.
struct Dimension {
  MPI_Count extent;
  MPI_Count stride;  // bytes
};

// The dimensions of an array. Dimensions that are contiguous with each other are merged.
std::vector<Dimension> dimensions_of(const Descriptor& array) {
  std::vector<Dimension> result;
  for (int i = 0; i < array.rank; ++i) {
    const Dimension next{array.dim[i].extent, array.dim[i].stride};
    if (next.extent == 1) continue;
    if (!result.empty() && result.back().extent * result.back().stride == next.stride) {
      result.back().extent *= next.extent;
    } else {
      result.push_back(next);
    }
  }
  return result;
}

struct Extent {
  MPI_Count size = 0;
  MPI_Count lower_bound = 0;
  MPI_Count extent = 0;

  // The data are all bytes between the bounds, in order.
  bool dense = false;
};

Extent extent_of(MPI_Datatype datatype) {
  Extent result;
  if (PMPI_Type_size_c(datatype, &result.size) != MPI_SUCCESS) return {};
  PMPI_Type_get_extent_c(datatype, &result.lower_bound, &result.extent);
  int integers = 0;
  int addresses = 0;
  int datatypes = 0;
  int combiner = 0;
  PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner);
  result.dense = combiner == MPI_COMBINER_NAMED && result.size == result.extent;
  return result;
}

// Owns a new datatype and frees it. Types constructed from it stay valid.
class Made {
 public:
  explicit Made(MPI_Datatype datatype) : datatype_(datatype) {}
  Made(Made&& other) noexcept : datatype_(other.release()) {}
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() {
    if (datatype_ != MPI_DATATYPE_NULL) PMPI_Type_free(&datatype_);
  }

  operator MPI_Datatype() const { return datatype_; }
  MPI_Datatype release() { return std::exchange(datatype_, MPI_DATATYPE_NULL); }
  MPI_Datatype commit() {
    PMPI_Type_commit(&datatype_);
    return release();
  }

 private:
  MPI_Datatype datatype_;
};

Made vector(MPI_Count count, MPI_Count stride, MPI_Datatype item) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  PMPI_Type_create_hvector_c(count, 1, stride, item, &result);
  return Made(result);
}

Made resized(MPI_Datatype datatype, MPI_Count extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  PMPI_Type_create_resized_c(datatype, 0, extent, &result);
  return Made(result);
}

// A datatype of the first `count` items of an array of items.
Made first_items(std::span<const Dimension> dimensions, MPI_Count count, MPI_Datatype item) {
  if (dimensions.empty()) return vector(count, 0, item);
  const Dimension last = dimensions.back();
  const auto inner = dimensions.first(dimensions.size() - 1);
  MPI_Count inside = 1;  // items
  for (const Dimension& dimension : inner) inside *= dimension.extent;
  if (inner.empty()) return vector(count, last.stride, item);
  const MPI_Count whole = count / inside;
  const Made row = first_items(inner, inside, item);
  Made rows = vector(whole, last.stride, row);
  if (count % inside == 0) return rows;
  const Made part = first_items(inner, count % inside, item);
  const MPI_Count lengths[] = {1, 1};
  const MPI_Count displacements[] = {0, whole * last.stride};
  const MPI_Datatype types[] = {rows, part};
  MPI_Datatype result = MPI_DATATYPE_NULL;
  PMPI_Type_create_struct_c(2, lengths, displacements, types, &result);
  return Made(result);
}

struct Run {
  MPI_Count offset;  // bytes
  MPI_Count length;
};

void append(std::vector<Run>& runs, MPI_Count offset, MPI_Count length) {
  if (!runs.empty() && runs.back().offset + runs.back().length == offset) {
    runs.back().length += length;
  } else {
    runs.push_back({offset, length});
  }
}

// The bytes of a datatype in the order of its type map. Packs a buffer whose bytes hold their own
// offsets, one digit of 8 bits at a time, and reads the offsets in the packed order.
std::vector<Run> bytes_of(MPI_Datatype datatype, MPI_Count size) {
  MPI_Count lower_bound = 0;
  MPI_Count extent = 0;
  PMPI_Type_get_true_extent_c(datatype, &lower_bound, &extent);
  std::vector<unsigned char> digits(static_cast<std::size_t>(extent));
  std::vector<unsigned char> packed(static_cast<std::size_t>(size));
  std::vector<MPI_Count> offsets(static_cast<std::size_t>(size), lower_bound);
  for (int shift = 0; shift < 64 && extent >> shift != 0; shift += 8) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      digits[i] = static_cast<unsigned char>(i >> shift);
    }
    MPI_Count position = 0;
    PMPI_Pack_c(digits.data() - lower_bound, 1, datatype, packed.data(), size, &position,
                MPI_COMM_SELF);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] += MPI_Count{packed[i]} << shift;
  }
  std::vector<Run> runs;
  for (const MPI_Count offset : offsets) append(runs, offset, 1);
  return runs;
}

// The offset in bytes of element `index` of an array.
MPI_Count place_of(std::span<const Dimension> dimensions, MPI_Count index) {
  MPI_Count place = 0;
  for (const Dimension& dimension : dimensions) {
    const bool last = &dimension == &dimensions.back();
    place += (last ? index : index % dimension.extent) * dimension.stride;
    index /= dimension.extent;
  }
  return place;
}

// A datatype of `count` elements of any datatype in the section, byte by byte.
Made bytes_in(std::span<const Dimension> dimensions, MPI_Count element, MPI_Count count,
              MPI_Datatype datatype, const Extent& extent) {
  const std::vector<Run> one = bytes_of(datatype, extent.size);
  std::vector<Run> all;
  for (MPI_Count i = 0; i < count; ++i) {
    for (const Run& run : one) {
      MPI_Count offset = i * extent.extent + run.offset;
      for (MPI_Count left = run.length; left > 0;) {
        const MPI_Count within = offset % element;
        const MPI_Count length = std::min(left, element - within);
        append(all, place_of(dimensions, offset / element) + within, length);
        offset += length;
        left -= length;
      }
    }
  }
  std::vector<MPI_Count> lengths;
  std::vector<MPI_Count> displacements;
  for (const Run& run : all) {
    lengths.push_back(run.length);
    displacements.push_back(run.offset);
  }
  MPI_Datatype result = MPI_DATATYPE_NULL;
  PMPI_Type_create_hindexed_c(static_cast<MPI_Count>(all.size()), lengths.data(),
                              displacements.data(), MPI_BYTE, &result);
  return Made(result);
}

Made items_in(const Descriptor& array, std::vector<Dimension> dimensions, MPI_Count count,
              MPI_Datatype datatype, const Extent& extent) {
  const auto element = static_cast<MPI_Count>(array.elem_len);
  if (!extent.dense || element % extent.extent != 0) {
    return bytes_in(dimensions, element, count, datatype, extent);
  }
  if (element > extent.extent) {
    dimensions.insert(dimensions.begin(), {element / extent.extent, extent.extent});
  }
  return first_items(dimensions, count, datatype);
}

}  // namespace

MPI_Datatype describe(const Descriptor& array, MPI_Count count, MPI_Datatype datatype) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return MPI_DATATYPE_NULL;
  const Extent extent = extent_of(datatype);
  if (extent.size == 0) return MPI_DATATYPE_NULL;
  return items_in(array, dimensions_of(array), count, datatype, extent).commit();
}

MPI_Datatype describe_block(const Descriptor& array, MPI_Count count, MPI_Datatype datatype) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return MPI_DATATYPE_NULL;
  const Extent extent = extent_of(datatype);
  if (extent.size == 0) return MPI_DATATYPE_NULL;
  const std::vector<Dimension> dimensions = dimensions_of(array);
  MPI_Count inside = static_cast<MPI_Count>(array.elem_len);  // bytes below the last dimension
  for (std::size_t i = 0; i + 1 < dimensions.size(); ++i) inside *= dimensions[i].extent;
  const MPI_Count block = count * extent.extent;
  if (dimensions.empty() || block <= 0 || block % inside != 0) return MPI_DATATYPE_NULL;
  const Made items = items_in(array, dimensions, count, datatype, extent);
  return resized(items, block / inside * dimensions.back().stride).commit();
}

MPI_Datatype describe_element(const Descriptor& array, MPI_Datatype datatype) {
  // Only in a section of one dimension does an element have the same layout at any displacement:
  // it is a block of one element.
  if (dimensions_of(array).size() != 1) return MPI_DATATYPE_NULL;
  return describe_block(array, 1, datatype);
}

}  // namespace atl::fortran
