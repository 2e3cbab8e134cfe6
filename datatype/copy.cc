#include "datatype/copy.h"

namespace atl::datatype {

void copy_by_vectors(std::byte* to, const std::byte* from, std::size_t bytes) {
  // The compiler makes two vector loads and two vector stores of a chunk, and
  // no call of memcpy, since the length is fixed.
  struct Chunk {
    std::byte bytes[32];
  };
  std::size_t done = 0;
  for (; done + sizeof(Chunk) <= bytes; done += sizeof(Chunk)) {
    Chunk chunk;
    std::memcpy(&chunk, from + done, sizeof chunk);
    std::memcpy(to + done, &chunk, sizeof chunk);
    asm volatile("" ::: "memory");  // keeps the loop from becoming one memcpy
  }
  std::memcpy(to + done, from + done, bytes - done);
}

}  // namespace atl::datatype
