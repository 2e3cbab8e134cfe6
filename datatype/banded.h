// Packing and unpacking of a message in fragments when its layout is a transpose. Neighbouring
// elements share cache lines, and a fragment contains too few elements to use a whole line while
// it is in the cache. Therefore a band of whole lines is copied at once, between memory and a
// buffer of some hundred KiB, and the fragments are copied from or to that buffer.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "datatype/datatype.h"

namespace atl::datatype {

// For sends: packs fragments of the `bytes` bytes of the elements at `from`, which must not change
// while this object is in use.
class BandedPack {
 public:
  BandedPack(const Datatype& type, const void* from, std::size_t bytes);

  // As Datatype::pack(); fast when `start` is where the previous fragment ended.
  void pack(std::size_t start, std::span<std::byte> to);

 private:
  const Datatype& type_;
  const void* from_;
  std::size_t bytes_;
  std::size_t band_;  // Program::band()
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t start_ = 0;  // the buffer contains held_ bytes of the stream from start_ on
  std::size_t held_ = 0;
};

// For receives: all data is in its place after flush().
class BandedUnpack {
 public:
  BandedUnpack(const Datatype& type, void* to);

  // As Datatype::unpack(), but the data may stay in the buffer until flush().
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
