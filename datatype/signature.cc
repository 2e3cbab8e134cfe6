#include "datatype/signature.h"

namespace atl::datatype {

std::string describe(Signature signature) {
  if (signature == kAnySignature) return "bytes";
  if (is_mixed(signature)) return "records of mixed types";
  const char* kind = static_cast<Kind>(signature >> 8) == Kind::integer ? "integers" : "reals";
  return std::to_string(signature & 0xff) + "-byte " + kind;
}

}  // namespace atl::datatype
