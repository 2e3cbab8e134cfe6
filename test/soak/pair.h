// Two processes of a communicator, of which one sends to the other.
#pragma once

#include <optional>

#include "test/soak/operation.h"

namespace soak {

struct Pair {
  Community* at = nullptr;
  int community = 0;
  int side = 0;  // that receives
  int source = 0, dest = 0;

  // Whether this process does so.
  bool receives() const { return at->is_here(side, dest); }
  bool sends() const { return at->is_here(at->other(side), source); }
};

inline std::optional<Pair> draw_pair(Draw& draw) {
  Pair pair;
  pair.community = draw.for_messages();
  if (pair.community < 0) return std::nullopt;
  const auto rank_on = [&](int side) {
    return int(draw.random.below(std::uint64_t(pair.at->size(side))));
  };
  pair.at = &draw.at(pair.community);
  pair.at->used = true;
  pair.side = pair.at->inter ? int(draw.random.below(2)) : 0;
  pair.dest = rank_on(pair.side);
  pair.source = rank_on(pair.at->other(pair.side));
  return pair;
}

}  // namespace soak
