// A datatype as the rest of Atoll sees it: a program that copies the data of
// any number of elements between their layout in memory and a stream of bytes,
// starting and stopping at any byte of the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datatype/signature.h"

namespace atl::datatype {

// A run of bytes of one element; `offset` counts from the element's address.
struct Block {
  std::ptrdiff_t offset;
  std::size_t bytes;
};

class Datatype {
 public:
  // `blocks` in the order of the type map, none empty, neighbours not adjacent.
  Datatype(std::string name, std::vector<Block> blocks, std::ptrdiff_t lower_bound,
           std::ptrdiff_t extent, Signature signature);

  const std::string& name() const { return name_; }
  Signature signature() const { return signature_; }

  // Bytes; the standard's terms (MPI 5.0, 5.1).
  std::size_t size() const { return size_; }
  std::ptrdiff_t lower_bound() const { return lower_bound_; }
  std::ptrdiff_t extent() const { return extent_; }
  std::ptrdiff_t true_lower_bound() const { return true_lower_bound_; }
  std::ptrdiff_t true_extent() const { return true_extent_; }

  // Basic values in one element, and how many whole ones `bytes` of the stream hold.
  std::size_t basic_values() const { return basic_sizes_.size(); }
  std::size_t basic_values_in(std::size_t bytes) const;
  std::size_t bytes_of_basic_values(std::size_t values) const;

  // True when the data of any number of elements is one run of memory.
  bool flat() const { return flat_; }
  // Where that run starts, for elements at `address`.
  const std::byte* run(const void* address) const {
    return static_cast<const std::byte*>(address) + true_lower_bound_;
  }
  std::byte* run(void* address) const {
    return static_cast<std::byte*>(address) + true_lower_bound_;
  }

  // Copies bytes [start, start + to.size()) of the stream of the elements at
  // `from` into `to`; the caller keeps within the elements there are.
  void pack(const void* from, std::size_t start, std::span<std::byte> to) const;

  // The reverse: the bytes `from` become bytes [start, ...) of the stream of `to`.
  void unpack(void* to, std::size_t start, std::span<const std::byte> from) const;

  // Names the sizes of the basic values in the order of the type map; one
  // value of size() unless told.
  Datatype&& with_basic_sizes(std::vector<std::size_t> sizes) &&;

 private:
  template <class Copy>
  void for_each_run(std::size_t start, std::size_t bytes, Copy copy) const;

  std::string name_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> basic_sizes_;
  std::size_t size_ = 0;
  std::ptrdiff_t lower_bound_;
  std::ptrdiff_t extent_;
  std::ptrdiff_t true_lower_bound_ = 0;
  std::ptrdiff_t true_extent_ = 0;
  Signature signature_;
  bool flat_ = false;
};

}  // namespace atl::datatype
