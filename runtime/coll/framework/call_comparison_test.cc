#include "runtime/coll/framework/call_comparison.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>
#include <variant>

#include "runtime/coll/framework/channel.h"

namespace atl::coll {
namespace {

TEST_CASE("histories differ from the first different call on") {
  CallHistory one, other;
  const CollectiveSignature barrier = {.call = 1};
  const CollectiveSignature bcast = {.call = 2, .bytes = 8};
  CHECK(one.with_history(barrier) == barrier);
  CHECK(one.remember(barrier) == other.remember(barrier));
  CHECK(one.with_history(bcast) == other.with_history(bcast));
  CHECK(one.with_history(bcast).bytes % 256 == 8);
  one.remember(barrier);
  other.remember(bcast);
  CHECK(one.with_history(barrier) != other.with_history(barrier));
}

TEST_CASE("type signatures do not count in the history") {
  CallHistory one, other;
  one.remember({.call = 2 | 5ull << 32});
  other.remember({.call = 2 | 6ull << 32});
  CHECK(one.with_history({.call = 1}) == other.with_history({.call = 1}));
}

// The member that has claimed the record may be preempted before it publishes the record.
TEST_CASE("a rank reports its own mismatch until another rank's is published") {
  auto made = shm::Segment::create({.size = 2});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  process.segment.emplace(std::move(std::get<shm::Segment>(made)));
  Communicator comm(RankMap::range(0, 1, 2), 0, 3);
  Channel channel(comm);
  REQUIRE(channel.attached());
  bool none = false;
  shm::CollectiveBuffer::Mismatch& shared =
      process.segment->collective_buffer(comm.context(), 2, none)->mismatch();
  shared.claims.store_relaxed(1);  // as by rank 1; relaxed: one process
  Ticket ticket(channel);
  const Round round = ticket.reserve_rounds(1);
  CHECK(!channel.reported(round));

  const Error own = channel.report(round, MPI_ERR_ROOT, "what rank 0 saw");
  CHECK(own.error_class() == MPI_ERR_ROOT);
  CHECK(own.text().find("call what does not match: what rank 0 saw") != std::string::npos);
  CHECK(!channel.open());
  CHECK(!channel.reported(round - 1));
  CHECK(channel.reported(round + 1).error_class() == MPI_ERR_ROOT);

  shared.error_class = MPI_ERR_COUNT;
  std::strcpy(shared.text, "what rank 1 saw");
  shared.round.store_release(round + 1);  // pairs with find()
  const Error published = channel.reported(round + 1);
  CHECK(published.error_class() == MPI_ERR_COUNT);
  CHECK(published.text().find("what rank 1 saw") != std::string::npos);
}

}  // namespace
}  // namespace atl::coll
