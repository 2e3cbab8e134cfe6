// Layouts that programs send, each as a datatype and as the loops that a programmer
// would write for it.
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
  std::size_t memory_bytes;  // spanned by the elements
  Loop pack;                 // by hand, the fastest known
  Loop unpack;
};

std::vector<Layout> layouts();

}  // namespace atl::bench
