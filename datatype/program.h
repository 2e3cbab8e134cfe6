// What a datatype is compiled to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "datatype/problem.h"

namespace atl::datatype {

// A run of bytes of one element; `offset` counts from the element's address.
struct Block {
  Count offset;
  std::size_t bytes;
};

class Program {
 public:
  explicit Program(std::vector<Block> blocks);

  // Whether an element is one run of memory.
  bool one_run() const { return blocks_.size() <= 1; }

  void pack(const std::byte* from, Count extent, std::size_t start, std::span<std::byte> to) const;
  void unpack(std::byte* to, Count extent, std::size_t start,
              std::span<const std::byte> from) const;

 private:
  template <class Copy>
  void for_each_run(Count extent, std::size_t start, std::size_t bytes, Copy copy) const;

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace atl::datatype
