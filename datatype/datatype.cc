#include "datatype/datatype.h"

#include <algorithm>
#include <utility>

#include "base/copy.h"
#include "datatype/compile.h"

namespace atl::datatype {
namespace {

std::uint32_t depth_above(const std::vector<Reference>& children) {
  std::uint32_t depth = 0;
  for (const Reference& child : children) depth = std::max(depth, child->depth() + 1);
  return depth;
}

}  // namespace

Datatype::Datatype(Plan plan)
    : size_(plan.size),
      lower_bound_(plan.bounds.lower()),
      extent_(plan.bounds.extent()),
      true_lower_bound_(plan.bounds.true_lower()),
      true_extent_(plan.bounds.true_extent()),
      uniform_signature_(plan.signature.signature()),
      derived_(plan.contents.combiner != Combiner::named),
      depth_(depth_above(plan.children)),
      values_(plan.values),
      signature_(plan.signature),
      bounds_(plan.bounds),
      structure_(std::move(plan.structure)),
      children_(std::move(plan.children)),
      contents_(std::move(plan.contents)) {
  references_.store_relaxed(0);  // Relaxed: no other thread has this object yet.
}

void Datatype::commit() {
  if (committed()) return;
  program_ = compile(*this);
  contiguous_ =
      size_ == 0 || (program_->contiguous_blocks() == 1 && std::cmp_equal(size_, extent_));
}

void Datatype::share_program(const Datatype& committed) {
  program_ = committed.program_;
  contiguous_ = committed.contiguous_;
}

void Datatype::pack(const void* from, std::size_t start, std::span<std::byte> to) const {
  if (contiguous_) return copy_bytes(to.data(), first_byte(from) + start, to.size());
  program_->pack(static_cast<const std::byte*>(from), start, to);
}

void Datatype::unpack(void* to, std::size_t start, std::span<const std::byte> from) const {
  if (contiguous_) return copy_bytes(first_byte(to) + start, from.data(), from.size());
  program_->unpack(static_cast<std::byte*>(to), start, from);
}

}  // namespace atl::datatype
