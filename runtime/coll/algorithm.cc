#include "runtime/coll/algorithm.h"

#include <algorithm>

#include "runtime/core/process.h"

namespace atl::coll {

Wanted next_wanted(std::string_view& list) {
  const std::string_view one = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), one.size() + 1));
  const std::size_t equals = std::min(one.find('='), one.size());
  return {one.substr(0, equals), one.substr(std::min(equals + 1, one.size()))};
}

std::string_view wanted_algorithm(std::string_view collective) {
  std::string_view list = settings.algorithms;
  while (!list.empty()) {
    const Wanted wanted = next_wanted(list);
    if (wanted.collective == collective) return wanted.algorithm;
  }
  return {};
}

}  // namespace atl::coll
