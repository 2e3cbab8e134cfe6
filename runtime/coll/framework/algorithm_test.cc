// Which row of a table is taken.
#include "runtime/coll/framework/algorithm.h"
#include "runtime/p2p/message_settings.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>
#include <variant>

namespace atl::coll {
namespace {

struct Call {
  std::size_t bytes(const Channel&) const { return size; }
  bool equal_blocks() const { return equal; }
  static std::span<const Algorithm<Call>> algorithms();
  static constexpr const char* kName = "call";

  std::size_t size;
  bool equal = true;
};

constexpr Limits kLong = {.over_bytes = 1000, .up_to_ranks = 2};

std::size_t data(const Call& call, const Channel&) { return call.size; }
Task through_buffer(const Call&, Operation&, Ticket) { return no_task(); }
Task by_message(const Call&, Operation&) { return no_task(); }

std::span<const Algorithm<Call>> Call::algorithms() {
  static constexpr Algorithm<Call> rows[] = {
      {.name = "one slot",
       .in_slot = {"the data", data},
       .equal_blocks = true,
       .limits = {.up_to_total = 4000},
       .shared_memory = through_buffer},
      {.name = "long", .except = &kLong, .shared_memory = through_buffer},
      {.name = "messages", .messages = by_message}};
  return rows;
}

std::string taken(const Call& call, int size, std::uint32_t flags = 0) {
  auto made = shm::Segment::create({.size = static_cast<std::uint32_t>(size), .flags = flags});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  process.segment.emplace(std::move(std::get<shm::Segment>(made)));
  Communicator comm(RankMap::range(0, 1, size), 0, 3);
  Channel channel(comm);
  REQUIRE(channel.attached());
  return suitable(call, channel).name;
}

TEST_CASE("the first row within whose limits a call is") {
  CHECK(taken({.size = 0}, 2) == "one slot");
  CHECK(taken({.size = 2000}, 2) == "one slot");
  CHECK(taken({.size = 2001}, 2) == "messages");  // over 1000 bytes on 2 ranks
  CHECK(taken({.size = 2001}, 3) == "long");
  CHECK(taken({.size = 1000}, 4) == "one slot");
  CHECK(taken({.size = 1001}, 4) == "long");
}

TEST_CASE("what a row needs") { CHECK(taken({.size = 8, .equal = false}, 2) == "long"); }

TEST_CASE("limits") {
  auto made = shm::Segment::create({.size = 4, .flags = shm::kJobSharedCores});
  REQUIRE(std::holds_alternative<shm::Segment>(made));
  process.segment.emplace(std::move(std::get<shm::Segment>(made)));
  Communicator comm(RankMap::range(0, 1, 4), 0, 3);
  Channel channel(comm);
  const Call call = {.size = 100};
  CHECK(holds({}, call, channel));
  CHECK(holds({.over_bytes = 99}, call, channel));
  CHECK(!holds({.over_bytes = 100}, call, channel));
  CHECK(holds({.up_to_bytes = 100}, call, channel));
  CHECK(!holds({.up_to_bytes = 99}, call, channel));
  CHECK(holds({.up_to_total = 400}, call, channel));
  CHECK(!holds({.up_to_total = 399}, call, channel));
  CHECK(holds({.over_ranks = 3}, call, channel));
  CHECK(!holds({.over_ranks = 4}, call, channel));
  CHECK(holds({.up_to_ranks = 4}, call, channel));
  CHECK(!holds({.up_to_ranks = 3}, call, channel));
  CHECK(!holds({.own_cores = true}, call, channel));
  p2p::settings.single_copy = true;
  CHECK(holds({.kernel_copy = true}, call, channel));
  p2p::settings.single_copy = false;
  CHECK(!holds({.kernel_copy = true}, call, channel));
}

}  // namespace
}  // namespace atl::coll
