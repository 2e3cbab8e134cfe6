#include "runtime/coll/data.h"

#include <algorithm>
#include <span>

#include "datatype/copy.h"

namespace atl::coll {
namespace {

constexpr std::size_t kPiece = 16 * 1024;  // bytes, between two layouts; fits into the first cache

}  // namespace

Data Data::part(std::size_t first, std::size_t count) const {
  auto* start = static_cast<std::byte*>(address);
  return {start + static_cast<std::ptrdiff_t>(first) * type->extent(), count, type};
}

void copy(const Data& from, const Data& to) {
  const std::size_t bytes = std::min(from.bytes(), to.bytes());
  if (bytes == 0) return;
  if (from.type->flat()) {
    const std::byte* run = from.type->run(from.address);
    if (to.type->flat()) return datatype::copy_run(to.type->run(to.address), run, bytes);
    return to.type->unpack(to.address, 0, {run, bytes});
  }
  if (to.type->flat()) {
    return from.type->pack(from.address, 0, {to.type->run(to.address), bytes});
  }
  std::byte piece[kPiece];
  for (std::size_t done = 0; done < bytes; done += kPiece) {
    const std::span part(piece, std::min(kPiece, bytes - done));
    from.type->pack(from.address, done, part);
    to.type->unpack(to.address, done, part);
  }
}

// Room for whatever the elements' addresses span, also below the first one.
Scratch::Scratch(std::size_t count, const datatype::Reference& type) {
  data_ = {nullptr, count, type};
  if (count == 0) return;
  const datatype::Count stride = type->extent() * static_cast<datatype::Count>(count - 1);
  const datatype::Count low = type->true_lower_bound() + std::min<datatype::Count>(stride, 0);
  const datatype::Count length = type->true_extent() + std::max<datatype::Count>(stride, -stride);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(length));
  data_.address = memory_.get() - low;
}

}  // namespace atl::coll
