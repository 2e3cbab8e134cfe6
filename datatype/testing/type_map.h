// The oracle: expands a type map entry by entry as the standard defines the constructors, from the
// results of MPI_Type_get_contents. Shares no code with the compiler.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "datatype/datatype.h"

namespace atl::datatype::testing {

struct Entry {
  const Datatype* basic;  // or one of the markers of MPI-1
  Count displacement;

  bool operator==(const Entry&) const = default;
};

struct TypeMap {
  std::vector<Entry> entries;
  // Set by MPI_Type_create_resized, or by MPI-1's markers.
  bool marked_lower = false;
  bool marked_upper = false;
  Count marked_lb = 0;
  Count marked_ub = 0;

  Count lower() const;
  Count upper() const;
  Count extent() const { return upper() - lower(); }
  std::size_t size() const;
};

TypeMap type_map(const Datatype& type);

// A contiguous block of bytes of the data, as long as possible.
struct Run {
  Count offset;
  Count bytes;

  bool operator==(const Run&) const = default;
};

std::vector<Run> runs(const TypeMap& map);

// The bytes of `count` elements at `from`, one entry after the other.
std::vector<std::byte> naive_pack(const TypeMap& map, const std::byte* from, Count count);

void naive_unpack(const TypeMap& map, std::span<const std::byte> stream, std::byte* to,
                  Count count);

}  // namespace atl::datatype::testing
