#include "runtime/coll/data.h"

#include <algorithm>

#include "datatype/predefined.h"
#include "datatype/transfer.h"

namespace atl::coll {

Data nothing() { return {nullptr, 0, &datatype::bytes()}; }

Data Data::part(std::size_t first, std::size_t count) const {
  auto* start = static_cast<std::byte*>(address);
  return {start + static_cast<std::ptrdiff_t>(first) * type->extent(), count, type};
}

void copy_part(const Data& from, const Data& to, std::size_t start, std::size_t bytes) {
  datatype::transfer(*to.type, to.address, *from.type, from.address, start, bytes);
}

// Room for whatever the elements' addresses span, also below the first one, and for what
// pads each: operations may copy whole structures.
Scratch::Scratch(std::size_t count, const Datatype* type) {
  data_ = {nullptr, count, type};
  if (count == 0) return;
  const datatype::Count stride = type->extent() * static_cast<datatype::Count>(count - 1);
  const datatype::Count begin = std::min(type->true_lower_bound(), type->lower_bound());
  const datatype::Count end = std::max(type->true_lower_bound() + type->true_extent(),
                                       type->lower_bound() + type->extent());
  const datatype::Count low = begin + std::min<datatype::Count>(stride, 0);
  const datatype::Count high = end + std::max<datatype::Count>(stride, 0);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(high - low));
  data_.address = memory_.get() - low;
}

}  // namespace atl::coll
