#include "datatype/program.h"

#include <algorithm>
#include <utility>

#include "datatype/copy.h"

namespace atl::datatype {

Program::Program(std::vector<Block> blocks) : blocks_(std::move(blocks)) {
  for (const Block& block : blocks_) size_ += block.bytes;
}

// Calls copy(offset in memory, offset in the piece, bytes) for each run of the
// piece [start, start + bytes) of the stream.
template <class Copy>
void Program::for_each_run(Count extent, std::size_t start, std::size_t bytes, Copy copy) const {
  if (bytes == 0) return;
  Count element = static_cast<Count>(start / size_) * extent;
  std::size_t skip = start % size_;
  std::size_t done = 0;
  for (;; element += extent) {
    for (const Block& block : blocks_) {
      if (skip >= block.bytes) {
        skip -= block.bytes;
        continue;
      }
      const std::size_t length = std::min(block.bytes - skip, bytes - done);
      copy(element + block.offset + static_cast<Count>(skip), done, length);
      skip = 0;
      done += length;
      if (done == bytes) return;
    }
  }
}

void Program::pack(const std::byte* from, Count extent, std::size_t start,
                   std::span<std::byte> to) const {
  for_each_run(extent, start, to.size(), [&](Count memory, std::size_t piece, std::size_t bytes) {
    copy_run(to.data() + piece, from + memory, bytes);
  });
}

void Program::unpack(std::byte* to, Count extent, std::size_t start,
                     std::span<const std::byte> from) const {
  for_each_run(extent, start, from.size(), [&](Count memory, std::size_t piece, std::size_t bytes) {
    copy_run(to + memory, from.data() + piece, bytes);
  });
}

}  // namespace atl::datatype
