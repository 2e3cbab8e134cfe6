#pragma once

#include <memory>

#include "datatype/program.h"
#include "datatype/shape.h"

namespace atl::datatype {

// Builds the program for elements with the contiguous blocks in `sequence`, `extent` bytes apart.
std::shared_ptr<const Program> build(const Sequence& sequence, const Shapes& shapes, Count extent);

}  // namespace atl::datatype
