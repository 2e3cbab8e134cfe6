// Which rings a poll visits, by arithmetic alone.
#include "runtime/p2p/inbound_rings.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace atl::p2p {
namespace {

using Found = InboundRings::Found;
using shm::PollMode;

InboundRings rings_of(std::uint32_t senders) {
  InboundRings rings;
  for (std::uint32_t sender = 0; sender < senders; ++sender) rings.add(sender);
  return rings;
}

// The rings that one poll visits; `found` gives the result of each visit.
std::vector<std::uint32_t> look(InboundRings& rings, PollMode mode,
                                const std::function<Found(std::uint32_t)>& found) {
  std::vector<std::uint32_t> visited;
  rings.visit(mode, [&](std::uint32_t sender) {
    visited.push_back(sender);
    return found(sender);
  });
  return visited;
}

Found nothing(std::uint32_t) { return Found::nothing; }

bool contains(const std::vector<std::uint32_t>& visited, std::uint32_t sender) {
  return std::ranges::count(visited, sender) != 0;
}

// Polls until all rings were visited, or more than `most` times.
int looks_for_all(InboundRings& rings, std::uint32_t senders, int most,
                  const std::function<Found(std::uint32_t)>& found) {
  std::vector<bool> seen(senders, false);
  int looks = 0;
  while (std::ranges::count(seen, false) != 0 && looks <= most) {
    for (const std::uint32_t sender : look(rings, PollMode::fast, found)) seen[sender] = true;
    ++looks;
  }
  return looks;
}

constexpr std::uint32_t kMost = InboundRings::kRecent + InboundRings::kWindow;

struct Row {
  const char* name;
  std::uint32_t senders;
  std::size_t visited;  // by a fast poll
  int looks;            // fast polls in which all are visited
};
constexpr Row kRows[] = {
    {"nobody", 0, 0, 0},
    {"one", 1, 1, 1},
    {"a few", 5, 5, 1},
    {"the recent ones alone", InboundRings::kRecent, InboundRings::kRecent, 1},
    {"a whole window", kMost, kMost, 1},
    {"one more", kMost + 1, kMost, 2},
    {"33 ranks", 32, kMost, 2},
    {"1,000 ranks", 999, kMost, (999 - 16 + 7) / 8},
};

TEST_CASE("a fast poll costs the same for any number of senders and skips none for long") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    InboundRings rings = rings_of(row.senders);
    CHECK(look(rings, PollMode::fast, nothing).size() == row.visited);
    InboundRings fresh = rings_of(row.senders);
    CHECK(looks_for_all(fresh, row.senders, row.looks, nothing) == row.looks);
  }
}

TEST_CASE("a complete poll visits all rings") {
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    InboundRings rings = rings_of(row.senders);
    look(rings, PollMode::fast, nothing);
    std::vector<std::uint32_t> visited = look(rings, PollMode::complete, nothing);
    std::ranges::sort(visited);
    REQUIRE(visited.size() == row.senders);
    for (std::uint32_t i = 0; i < row.senders; ++i) REQUIRE(visited[i] == i);
  }
}

TEST_CASE("a ring that had packets is visited by each poll from then on") {
  constexpr std::uint32_t kBusy = 777;
  InboundRings rings = rings_of(1000);
  const auto busy = [](std::uint32_t sender) {
    return sender == kBusy ? Found::news : Found::nothing;
  };
  while (!contains(look(rings, PollMode::fast, busy), kBusy)) {
  }
  for (int i = 0; i < 500; ++i) REQUIRE(contains(look(rings, PollMode::fast, busy), kBusy));
  CHECK(rings.visit_recent(busy));
}

TEST_CASE("rings that end each poll starve no other ring") {
  const auto greedy = [](std::uint32_t) { return Found::enough; };
  for (const std::uint32_t senders : {3u, 16u, 32u, 999u}) {
    InboundRings rings = rings_of(senders);
    const int most = static_cast<int>(senders) * 8;
    CHECK(looks_for_all(rings, senders, most, greedy) <= most);
  }
}

TEST_CASE("of three senders with messages each is received from at every third receive") {
  InboundRings rings = rings_of(3);
  std::vector<std::uint32_t> heard;
  for (int i = 0; i < 30; ++i) {
    rings.visit_recent([&](std::uint32_t sender) {
      heard.push_back(sender);
      return Found::enough;
    });
  }
  REQUIRE(heard.size() == 30);
  for (std::size_t i = 3; i < heard.size(); ++i) CHECK(heard[i] == heard[i - 3]);
  CHECK(heard[0] + heard[1] + heard[2] == 3);
}

}  // namespace
}  // namespace atl::p2p
