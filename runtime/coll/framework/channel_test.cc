#include "runtime/coll/framework/channel.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <variant>

namespace atl::coll {
namespace {

TEST_CASE("operations are served in the order of their tickets") {
  OperationOrder order;
  CHECK(order.idle());
  const auto first = order.issue();
  const auto second = order.issue();
  CHECK(order.serves(first));
  CHECK(!order.serves(second));
  CHECK(!order.idle());
  CHECK(order.reserve(3) == 1);
  CHECK(order.first() == 1);
  CHECK(order.next() == 4);
  order.serve_next();
  CHECK(order.serves(second));
  CHECK(order.reserve(1) == 4);
  order.serve_next();
  CHECK(order.idle());
}

TEST_CASE("a ticket that ends, early or not, serves the next ticket and releases its rounds") {
  auto made = shm::Segment::create({.size = 2});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  process.segment.emplace(std::move(std::get<shm::Segment>(made)));
  Communicator comm(RankMap::range(0, 1, 2), 0, 3);
  Channel channel(comm);
  std::optional<Ticket> first(std::in_place, channel);
  Ticket second(channel);
  Ticket third(channel);
  CHECK(first->served());
  CHECK(!second.served());
  const Round round = first->reserve_rounds(4);
  first.reset();
  CHECK(channel.released() == round + 4);
  CHECK(second.served());
  CHECK(!third.served());
  second.release();
  CHECK(third.served());
  Ticket moved = std::move(third);
  CHECK(moved.served());
}

}  // namespace
}  // namespace atl::coll
