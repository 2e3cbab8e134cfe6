#include "runtime/rma/remote_copy.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "datatype/for_each_block.h"
#include "runtime/core/process.h"
#include "runtime/rma/copy_service.h"

namespace atl::rma {
namespace {

constexpr std::size_t kStaged = 64 * 1024;  // bytes of a layout with gaps, per system call
constexpr std::size_t kMostBlocks = 256;    // of memory at the target, per system call

// A list of blocks at the target, whose data is contiguous in this process.
class BlockList {
 public:
  BlockList(WindowState& state, Target& target, std::byte* memory, Direction direction)
      : state_(state), target_(target), memory_(memory), direction_(direction) {}

  // Adds the next block; adjacent blocks become one.
  void add(std::uint64_t address, std::size_t bytes) {
    if (error_) return;
    if (used_ != 0 && end_of(blocks_[used_ - 1]) == address) {
      blocks_[used_ - 1].iov_len += bytes;
      return;
    }
    if (used_ == blocks_.size()) copy();
    blocks_[used_++] = {reinterpret_cast<void*>(address), bytes};
  }

  // Copies the blocks that were added since the last call.
  void copy() {
    if (used_ == 0 || error_) return;
    error_ = copy_blocks(state_, target_, {blocks_.data(), used_}, memory_, direction_);
    for (std::size_t i = 0; i < used_; ++i) memory_ += blocks_[i].iov_len;
    used_ = 0;
  }

  Error error() const { return error_; }

 private:
  static std::uint64_t end_of(const iovec& block) {
    return reinterpret_cast<std::uint64_t>(block.iov_base) + block.iov_len;
  }

  WindowState& state_;
  Target& target_;
  std::byte* memory_;
  Direction direction_;
  std::array<iovec, kMostBlocks> blocks_;
  std::size_t used_ = 0;
  Error error_;
};

// Calls stage(start, length) for parts of the stream.
template <class Stage>
Error in_stages(std::size_t bytes, Stage stage) {
  for (std::size_t start = 0; start < bytes; start += kStaged) {
    if (Error error = stage(start, std::min(kStaged, bytes - start))) return error;
  }
  return {};
}

}  // namespace

Error copy_remote(WindowState& state, const Place& place, const Layout& target, std::size_t start,
                  std::byte* memory, std::size_t length, Direction direction) {
  BlockList list(state, *place.target, memory, direction);
  if (target.type.is_contiguous()) {
    list.add(place.address + static_cast<std::uint64_t>(target.type.true_lower_bound()) + start,
             length);
  } else {
    datatype::for_each_block(target.type.program(), start, length,
                             [&](datatype::Count offset, std::size_t bytes) {
                               list.add(place.address + static_cast<std::uint64_t>(offset), bytes);
                             });
  }
  list.copy();
  return list.error();
}

Error write_remote(WindowState& state, const Place& place, const Layout& target,
                   const Layout& origin, const void* origin_addr) {
  const std::size_t bytes = origin.bytes();
  if (place.target == nullptr || bytes == 0) return {};
  if (origin.type.is_contiguous()) {
    auto* from = const_cast<std::byte*>(origin.type.first_byte(origin_addr));
    return copy_remote(state, place, target, 0, from, bytes, Direction::write);
  }
  const auto staged = std::make_unique<std::byte[]>(std::min(bytes, kStaged));
  return in_stages(bytes, [&](std::size_t start, std::size_t length) {
    origin.type.pack(origin_addr, start, {staged.get(), length});
    return copy_remote(state, place, target, start, staged.get(), length, Direction::write);
  });
}

Error read_remote(WindowState& state, const Place& place, const Layout& target,
                  const Layout& origin, void* origin_addr) {
  const std::size_t bytes = target.bytes();
  if (place.target == nullptr || bytes == 0) return {};
  if (origin.type.is_contiguous()) {
    return copy_remote(state, place, target, 0, origin.type.first_byte(origin_addr), bytes,
                       Direction::read);
  }
  const auto staged = std::make_unique<std::byte[]>(std::min(bytes, kStaged));
  return in_stages(bytes, [&](std::size_t start, std::size_t length) {
    Error error = copy_remote(state, place, target, start, staged.get(), length, Direction::read);
    if (!error) origin.type.unpack(origin_addr, start, {staged.get(), length});
    return error;
  });
}

}  // namespace atl::rma
