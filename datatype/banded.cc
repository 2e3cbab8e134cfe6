#include "datatype/banded.h"

#include <algorithm>
#include <cstring>

namespace atl::datatype {
namespace {

std::unique_ptr<std::byte[]> buffer_of(std::size_t bytes) {
  return std::make_unique_for_overwrite<std::byte[]>(bytes);
}

}  // namespace

BandedPack::BandedPack(const Datatype& type, const void* from, std::size_t bytes)
    : type_(type), from_(from), bytes_(bytes), band_(type.program().band()) {}

void BandedPack::pack(std::size_t start, std::span<std::byte> to) {
  while (!to.empty()) {
    if (start < start_ || start >= start_ + held_) {
      if (to.size() >= band_) return type_.pack(from_, start, to);
      if (buffer_ == nullptr) buffer_ = buffer_of(band_);
      start_ = start;
      held_ = std::min(band_, bytes_ - start);
      type_.pack(from_, start_, {buffer_.get(), held_});
    }
    const std::size_t ready = std::min(to.size(), start_ + held_ - start);
    std::memcpy(to.data(), buffer_.get() + (start - start_), ready);
    to = to.subspan(ready);
    start += ready;
  }
}

BandedUnpack::BandedUnpack(const Datatype& type, void* to)
    : type_(type), to_(to), band_(type.program().band()) {}

void BandedUnpack::unpack(std::size_t start, std::span<const std::byte> from) {
  if (start != start_ + held_) flush();
  if (held_ == 0) start_ = start;
  while (!from.empty()) {
    if (held_ == 0 && from.size() >= band_) return type_.unpack(to_, start_, from);
    if (buffer_ == nullptr) buffer_ = buffer_of(band_);
    const std::size_t room = std::min(from.size(), band_ - held_);
    std::memcpy(buffer_.get() + held_, from.data(), room);
    held_ += room;
    from = from.subspan(room);
    if (held_ == band_) flush();
  }
}

void BandedUnpack::flush() {
  if (held_ != 0) type_.unpack(to_, start_, {buffer_.get(), held_});
  start_ += held_;
  held_ = 0;
}

}  // namespace atl::datatype
