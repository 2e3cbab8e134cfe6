#include "datatype/problem.h"

namespace atl::datatype {

std::string Problem::text() const {
  std::string what = argument;
  if (index >= 0) what += "[" + std::to_string(index) + "]";
  what += "=" + std::to_string(value);
  switch (reason) {
    case Reason::none: return what;
    case Reason::negative: return what + " is negative";
    case Reason::out_of_range: return what + " is out of range";
    case Reason::overflow: return what + " makes a type whose size or bounds exceed 64 bits";
    case Reason::too_deep: break;
  }
  return what + " levels of types within types are too many";
}

}  // namespace atl::datatype
