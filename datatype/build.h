#pragma once

#include <memory>

#include "datatype/program.h"
#include "datatype/shape.h"

namespace atl::datatype {

// The program for the runs of one element, `extent` apart from the next.
std::shared_ptr<const Program> build(const Sequence& sequence, const Shapes& shapes, Count extent);

}  // namespace atl::datatype
