#include "datatype/transfer.h"

#include <algorithm>

namespace atl::datatype {

void transfer(const Datatype& to_type, void* to, const Datatype& from_type, const void* from,
              std::size_t start, std::size_t bytes) {
  if (bytes == 0) return;
  if (from_type.is_contiguous())
    return to_type.unpack(to, start, {from_type.first_byte(from) + start, bytes});
  if (to_type.is_contiguous())
    return from_type.pack(from, start, {to_type.first_byte(to) + start, bytes});
  alignas(64) std::byte between[16 * 1024];
  for (const std::size_t end = start + bytes; start != end;) {
    const std::span<std::byte> piece(between, std::min(sizeof between, end - start));
    from_type.pack(from, start, piece);
    to_type.unpack(to, start, piece);
    start += piece.size();
  }
}

}  // namespace atl::datatype
