// What a datatype is, found by using it: a type map written down by the test is
// compared with size, bounds and the bytes that MPI_Pack takes and MPI_Unpack sets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace types {

// One entry of a type map: `bytes` bytes at a displacement.
struct Entry {
  MPI_Aint displacement;
  int bytes;
};

using Map = std::vector<Entry>;

inline void add(Map& map, const Map& part, MPI_Aint displacement) {
  for (const Entry& entry : part) {
    map.push_back({entry.displacement + displacement, entry.bytes});
  }
}

inline long long size_of(const Map& map) {
  long long sum = 0;
  for (const Entry& entry : map) sum += entry.bytes;
  return sum;
}

// Memory that holds some elements of a map, whichever way they lie.
class Memory {
 public:
  Memory(const Map& map, MPI_Aint extent, int count) {
    MPI_Aint low = 0, high = 0;
    for (const Entry& entry : map) {
      for (const MPI_Aint element : {MPI_Aint{0}, extent * (count > 0 ? count - 1 : 0)}) {
        low = std::min(low, element + entry.displacement);
        high = std::max(high, element + entry.displacement + entry.bytes);
      }
    }
    constexpr MPI_Aint kMargin = 64;
    before_ = kMargin - low;
    bytes_.resize(static_cast<std::size_t>(before_ + high + kMargin));
  }

  unsigned char* address() { return bytes_.data() + before_; }
  std::vector<unsigned char>& bytes() { return bytes_; }

  void fill(std::uint64_t seed) { check::fill(bytes_.data(), bytes_.size(), seed); }
  void clear() { std::fill(bytes_.begin(), bytes_.end(), 0xc7); }

 private:
  MPI_Aint before_ = 0;
  std::vector<unsigned char> bytes_;
};

// The oracles: entry by entry.
inline std::vector<unsigned char> naive_pack(const Map& map, MPI_Aint extent, int count,
                                             const unsigned char* from) {
  std::vector<unsigned char> packed;
  for (int i = 0; i < count; ++i) {
    for (const Entry& entry : map) {
      const unsigned char* value = from + i * extent + entry.displacement;
      packed.insert(packed.end(), value, value + entry.bytes);
    }
  }
  return packed;
}

// Sets no more than there is.
inline void naive_unpack(const Map& map, MPI_Aint extent, int count,
                         const std::vector<unsigned char>& packed, unsigned char* to) {
  std::size_t next = 0;
  for (int i = 0; i < count; ++i) {
    for (const Entry& entry : map) {
      for (int byte = 0; byte < entry.bytes && next < packed.size(); ++byte) {
        to[i * extent + entry.displacement + byte] = packed[next++];
      }
    }
  }
}

// Packs and unpacks three elements; `type` is committed.
inline void check_data(MPI_Datatype type, const Map& map, MPI_Aint extent) {
  constexpr int kCount = 3;
  Memory from(map, extent, kCount);
  from.fill(7);
  const auto expected = naive_pack(map, extent, kCount, from.address());
  int bytes = 0;
  MPI_Pack_size(kCount, type, MPI_COMM_SELF, &bytes);
  std::vector<unsigned char> packed(static_cast<std::size_t>(bytes) + 1);
  int position = 0;
  MPI_Pack(from.address(), kCount, type, packed.data(), bytes, &position, MPI_COMM_SELF);
  CHECK_EQ(position, static_cast<int>(expected.size()));
  CHECK(std::equal(expected.begin(), expected.end(), packed.begin()));
  Memory wanted(map, extent, kCount), to(map, extent, kCount);
  wanted.clear();
  to.clear();
  naive_unpack(map, extent, kCount, expected, wanted.address());
  position = 0;
  MPI_Unpack(packed.data(), bytes, &position, to.address(), kCount, type, MPI_COMM_SELF);
  CHECK_EQ(position, static_cast<int>(expected.size()));
  CHECK(to.bytes() == wanted.bytes());
}

inline void check_bounds(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent) {
  MPI_Aint found_lb = -1, found_extent = -1;
  MPI_Type_get_extent(type, &found_lb, &found_extent);
  CHECK_EQ(found_lb, lb);
  CHECK_EQ(found_extent, extent);
}

// All that a type map says about a type, which gets committed.
inline void check_type(MPI_Datatype type, const Map& map, MPI_Aint lb, MPI_Aint extent) {
  int size = -1;
  MPI_Type_size(type, &size);
  CHECK_EQ(static_cast<long long>(size), size_of(map));
  check_bounds(type, lb, extent);
  MPI_Aint true_lb = -1, true_extent = -1;
  MPI_Type_get_true_extent(type, &true_lb, &true_extent);
  MPI_Aint low = map.empty() ? 0 : map[0].displacement, high = low;
  for (const Entry& entry : map) {
    low = std::min(low, entry.displacement);
    high = std::max(high, entry.displacement + entry.bytes);
  }
  CHECK_EQ(true_lb, low);
  CHECK_EQ(true_extent, high - low);
  MPI_Type_commit(&type);
  check_data(type, map, extent);
}

}  // namespace types
