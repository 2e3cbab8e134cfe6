#include "runtime/coll/framework/algorithm.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "runtime/coll/framework/collective_settings.h"
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

void show_taken(const char* collective, const char* algorithm) {
  static std::set<std::pair<std::string_view, std::string_view>> shown;
  if (process.rank != 0 || !shown.emplace(collective, algorithm).second) return;
  std::printf("%s takes %s\n", collective, algorithm);
}

void publish_signature(Channel& channel, Round round, const CollectiveSignature& signature) {
  const CollectiveSignature published = channel.history.with_history(signature);
  // In an inter-communicator not even the root arguments are equal on all members.
  channel.history.remember(channel.between_groups() ? only_kind(signature) : signature);
  channel.publish_unawaited(round, published);
  // Pairs with itself on another member: of two members that publish, then compare, at least one
  // sees the signature of the other.
  full_fence();
}

Task no_task() { co_return; }

}  // namespace atl::coll
