#include "runtime/coll/algorithm.h"

#include "runtime/core/process.h"

namespace atl::coll {

std::string_view wanted_algorithm(std::string_view collective) {
  std::string_view rest = settings.algorithms;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    if (equals != one.npos && one.substr(0, equals) == collective) return one.substr(equals + 1);
  }
  return {};
}

}  // namespace atl::coll
