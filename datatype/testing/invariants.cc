#include "datatype/testing/invariants.h"

#include <algorithm>
#include <cstdlib>

#include "datatype/banded.h"
#include "datatype/constructors.h"
#include "datatype/external32.h"
#include "datatype/predefined.h"

namespace atl::datatype::testing {
namespace {

constexpr Count kElements = 3;
constexpr std::byte kGap{0xee};

// Memory for some elements of a type at an address, without a byte more on either side.
class Memory {
 public:
  explicit Memory(const Datatype& type) {
    const Count way = (kElements - 1) * type.extent();
    low_ = type.true_lower_bound() + std::min<Count>(way, 0);
    const Count high = type.true_lower_bound() + type.true_extent() + std::max<Count>(way, 0);
    bytes_.assign(static_cast<std::size_t>(std::max<Count>(high - low_, 1)), kGap);
  }

  std::byte* address() { return bytes_.data() - low_; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  Count low_;
  std::vector<std::byte> bytes_;
};

void fill(std::vector<std::byte>& bytes) {
  std::uint8_t next = 1;
  for (std::byte& byte : bytes) byte = std::byte{next = static_cast<std::uint8_t>(next * 5 + 7)};
}

// Calls visit for consecutive parts of `length` bytes.
template <class Visit>
void in_pieces(std::vector<std::byte>& stream, std::size_t length, Visit visit) {
  for (std::size_t start = 0; start < stream.size(); start += length) {
    visit(start, std::span(stream).subspan(start, std::min(length, stream.size() - start)));
  }
}

std::vector<std::size_t> lengths_of_pieces(std::size_t bytes) {
  return {1, 13, bytes / 3 + 1, bytes + 1};
}

Reference resized(const Made& made, const TypeMap& map) {
  return make_resized(*made.type, map.lower(), map.extent()).type;
}

// Other types with the same contiguous blocks.
Reference list_of_runs(const TypeMap& map) {
  std::vector<Count> lengths;
  std::vector<Count> displacements;
  for (const Run& run : runs(map)) {
    lengths.push_back(run.bytes);
    displacements.push_back(run.offset);
  }
  return resized(make_hindexed(lengths, displacements, bytes()), map);
}

Reference struct_of_bytes(const TypeMap& map) {
  std::vector<Count> displacements;
  for (const Run& run : runs(map)) {
    for (Count i = 0; i < run.bytes; ++i) displacements.push_back(run.offset + i);
  }
  const std::vector<Count> lengths(displacements.size(), 1);
  const std::vector<const Datatype*> types(displacements.size(), &bytes());
  return resized(make_struct(lengths, displacements, types), map);
}

std::vector<Signature> values_of(const TypeMap& map) {
  std::vector<Signature> values;
  for (const Entry& entry : map.entries) {
    const auto* basic = std::get_if<Basic>(&entry.basic->structure());
    if (basic == nullptr) continue;
    values.insert(values.end(), basic->parts, basic_signature(basic->kind, basic->width));
  }
  return values;
}

}  // namespace

bool has_right_bounds(const Datatype& type, const TypeMap& map) {
  const std::vector<Run> all = runs(map);
  Count low = all.empty() ? 0 : all[0].offset;
  Count high = low;
  for (const Run& run : all) {
    low = std::min(low, run.offset);
    high = std::max(high, run.offset + run.bytes);
  }
  return type.size() == map.size() && type.lower_bound() == map.lower() &&
         type.extent() == map.extent() && type.true_lower_bound() == low &&
         type.true_extent() == high - low;
}

bool packs(const Datatype& type, const TypeMap& map) {
  Memory memory(type);
  fill(memory.bytes());
  const std::vector<std::byte> expected = naive_pack(map, memory.address(), kElements);
  return std::ranges::all_of(lengths_of_pieces(expected.size()), [&](std::size_t length) {
    std::vector<std::byte> stream(expected.size());
    in_pieces(stream, length, [&](std::size_t start, std::span<std::byte> piece) {
      type.pack(memory.address(), start, piece);
    });
    std::vector<std::byte> again(expected.size());
    BandedPack banded(type, memory.address(), again.size());
    in_pieces(again, length,
              [&](std::size_t start, std::span<std::byte> piece) { banded.pack(start, piece); });
    return stream == expected && again == expected;
  });
}

bool unpacks(const Datatype& type, const TypeMap& map) {
  if (overlaps(map, kElements)) return true;
  Memory expected(type);
  std::vector<std::byte> stream(type.size() * kElements);
  fill(stream);
  naive_unpack(map, stream, expected.address(), kElements);
  return std::ranges::all_of(lengths_of_pieces(stream.size()), [&](std::size_t length) {
    Memory memory(type);
    in_pieces(stream, length, [&](std::size_t start, std::span<std::byte> piece) {
      type.unpack(memory.address(), start, piece);
    });
    Memory again(type);
    BandedUnpack banded(type, again.address());
    in_pieces(stream, length,
              [&](std::size_t start, std::span<std::byte> piece) { banded.unpack(start, piece); });
    banded.flush();
    return memory.bytes() == expected.bytes() && again.bytes() == expected.bytes();
  });
}

bool counts_values(const Datatype& type, const TypeMap& map) {
  std::size_t bytes = 0;
  std::size_t values = 0;
  for (int element = 0; element < 2; ++element) {
    for (const Entry& entry : map.entries) {
      const std::size_t size = entry.basic->size();
      if (size == 0) continue;
      if (type.basic_values_in(bytes) != values ||
          type.basic_values_in(bytes + size - 1) != values ||
          type.bytes_of_basic_values(values) != bytes) {
        return false;
      }
      bytes += size;
      ++values;
    }
  }
  return type.basic_values_in(bytes) == values && type.basic_values() * 2 == values;
}

bool signs(const Datatype& type, const TypeMap& map) {
  const std::vector<Signature> values = values_of(map);
  SignatureHash written;
  std::size_t bytes = 0;
  for (int element = 0; element < 2; ++element) {
    for (const Signature value : values) {
      written = written.then({value, 1});
      bytes += value & 0xff;
      if (type.signature(bytes) != written.signature()) return false;
    }
  }
  return true;
}

bool converts(const Datatype& type, const TypeMap& map) {
  if (overlaps(map, kElements)) return true;
  Memory memory(type);
  Memory back(type);
  std::vector<std::byte> stream(type.size() * kElements);
  // Small values, so that they fit into narrower representations of external32.
  for (std::size_t i = 0; i < stream.size(); i += 2) stream[i] = std::byte{1};
  type.unpack(memory.address(), 0, stream);
  std::vector<std::byte> external(external_size(type) * kElements);
  static_cast<void>(pack_external(type, memory.address(), kElements, external.data()));
  unpack_external(type, back.address(), kElements, external.data());
  std::vector<std::byte> again(external.size());
  static_cast<void>(pack_external(type, back.address(), kElements, again.data()));
  return external == again;
}

bool is_canonical(const Datatype& type, const TypeMap& map) {
  return std::ranges::all_of(
      std::vector{list_of_runs(map), struct_of_bytes(map)}, [&](const Reference& other) {
        const_cast<Datatype&>(*other).commit();
        return other->program() == type.program() && other->is_contiguous() == type.is_contiguous();
      });
}

bool overlaps(const TypeMap& map, Count count) {
  std::vector<Run> all;
  for (Count i = 0; i < count; ++i) {
    for (const Run& run : runs(map)) all.push_back({run.offset + i * map.extent(), run.bytes});
  }
  std::ranges::sort(all, {}, &Run::offset);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i - 1].offset + all[i - 1].bytes > all[i].offset) return true;
  }
  return false;
}

}  // namespace atl::datatype::testing
