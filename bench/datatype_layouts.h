// Layouts that programs send, each as a datatype and as the loops that a program
// would write for it by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "datatype/datatype.h"

namespace atl::bench {

// Moves all data between memory and a buffer.
using Loop = std::function<void(std::byte* memory, std::byte* buffer)>;

struct Layout {
  std::string name;
  datatype::Reference type;
  std::size_t count;         // elements
  std::size_t memory_bytes;  // that they span
  Loop pack;                 // by hand, the fastest known
  Loop unpack;
};

std::vector<Layout> layouts();

}  // namespace atl::bench
