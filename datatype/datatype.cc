#include "datatype/datatype.h"

#include <algorithm>
#include <utility>

#include "datatype/copy.h"

namespace atl::datatype {

Datatype::Datatype(std::string name, std::vector<Block> blocks, std::ptrdiff_t lower_bound,
                   std::ptrdiff_t extent, Signature signature)
    : name_(std::move(name)),
      blocks_(std::move(blocks)),
      lower_bound_(lower_bound),
      extent_(extent),
      signature_(signature) {
  if (!blocks_.empty()) {
    std::ptrdiff_t low = blocks_.front().offset;
    std::ptrdiff_t high = low;
    for (const Block& block : blocks_) {
      size_ += block.bytes;
      low = std::min(low, block.offset);
      high = std::max(high, block.offset + static_cast<std::ptrdiff_t>(block.bytes));
    }
    true_lower_bound_ = low;
    true_extent_ = high - low;
  }
  flat_ = blocks_.empty() || (blocks_.size() == 1 && std::cmp_equal(size_, extent_));
  basic_sizes_.assign(size_ != 0 ? 1 : 0, size_);
}

Datatype&& Datatype::with_basic_sizes(std::vector<std::size_t> sizes) && {
  basic_sizes_ = std::move(sizes);
  return std::move(*this);
}

std::size_t Datatype::basic_values_in(std::size_t bytes) const {
  if (size_ == 0) return 0;
  std::size_t values = bytes / size_ * basic_sizes_.size();
  std::size_t rest = bytes % size_;
  for (const std::size_t size : basic_sizes_) {
    if (rest < size) break;
    rest -= size;
    ++values;
  }
  return values;
}

std::size_t Datatype::bytes_of_basic_values(std::size_t values) const {
  if (basic_sizes_.empty()) return 0;
  std::size_t bytes = values / basic_sizes_.size() * size_;
  for (std::size_t i = 0; i < values % basic_sizes_.size(); ++i) bytes += basic_sizes_[i];
  return bytes;
}

// Calls copy(offset in memory, offset in the piece, bytes) for each run of the
// piece [start, start + bytes) of the stream.
template <class Copy>
void Datatype::for_each_run(std::size_t start, std::size_t bytes, Copy copy) const {
  if (bytes == 0) return;
  std::ptrdiff_t element = static_cast<std::ptrdiff_t>(start / size_) * extent_;
  std::size_t skip = start % size_;
  std::size_t done = 0;
  for (;; element += extent_) {
    for (const Block& block : blocks_) {
      if (skip >= block.bytes) {
        skip -= block.bytes;
        continue;
      }
      const std::size_t length = std::min(block.bytes - skip, bytes - done);
      copy(element + block.offset + static_cast<std::ptrdiff_t>(skip), done, length);
      skip = 0;
      done += length;
      if (done == bytes) return;
    }
  }
}

void Datatype::pack(const void* from, std::size_t start, std::span<std::byte> to) const {
  if (flat_) {
    copy_run(to.data(), run(from) + start, to.size());
    return;
  }
  const auto* base = static_cast<const std::byte*>(from);
  for_each_run(start, to.size(), [&](std::ptrdiff_t memory, std::size_t piece, std::size_t bytes) {
    copy_run(to.data() + piece, base + memory, bytes);
  });
}

void Datatype::unpack(void* to, std::size_t start, std::span<const std::byte> from) const {
  if (flat_) {
    copy_run(run(to) + start, from.data(), from.size());
    return;
  }
  auto* base = static_cast<std::byte*>(to);
  for_each_run(start, from.size(),
               [&](std::ptrdiff_t memory, std::size_t piece, std::size_t bytes) {
                 copy_run(base + memory, from.data() + piece, bytes);
               });
}

}  // namespace atl::datatype
