// Datatypes written down: the constructors with the standard's arguments in its
// order, without the types' `count` where a list tells it.
//
//   resized(vector(512, 1, 512, double), 0, 8)
//   struct([1, 6, 7], [0, 8, 56], [int, double, char])
//   subarray([4, 6], [2, 3], [1, 0], c, int)
#pragma once

#include <string>
#include <string_view>

#include "datatype/constructors.h"

namespace atl::datatype {

// The type, or what is wrong with the text.
struct Parsed {
  Reference type;
  std::string complaint;
};

Parsed parse_type(std::string_view text);

}  // namespace atl::datatype
