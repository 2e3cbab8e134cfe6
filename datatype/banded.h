// A message that goes piece after piece through small cells, when its layout is a
// transpose: neighbouring elements share cache lines, and a piece holds too few of
// them to use up a line while it is in the cache. So a band of whole lines is moved
// at once, between memory and a buffer of some hundred KiB, and the pieces are cut
// from that.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "datatype/datatype.h"

namespace atl::datatype {

// Sends: packs pieces of the `bytes` bytes of the elements at `from`, which must
// not change meanwhile.
class BandedPack {
 public:
  BandedPack(const Datatype& type, const void* from, std::size_t bytes);

  // As Datatype::pack; quick when `start` is where the last piece ended.
  void pack(std::size_t start, std::span<std::byte> to);

 private:
  const Datatype& type_;
  const void* from_;
  std::size_t bytes_;
  std::size_t band_;  // bytes; 0 where bands gain nothing
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t start_ = 0;  // what the buffer holds of the stream
  std::size_t held_ = 0;
};

// Receives: the data is in its place after flush().
class BandedUnpack {
 public:
  BandedUnpack(const Datatype& type, void* to);

  // As Datatype::unpack, sooner or later.
  void unpack(std::size_t start, std::span<const std::byte> from);
  void flush();

 private:
  const Datatype& type_;
  void* to_;
  std::size_t band_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t start_ = 0;
  std::size_t held_ = 0;
};

}  // namespace atl::datatype
