#include "launcher/base/rank_set.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("numbers and ranges") {
  CHECK(parse_numbers("3") == std::vector{3});
  CHECK(parse_numbers("8,0-2") == std::vector{8, 0, 1, 2});
  for (const char* text : {"", "a", "1,", "-1", "3-1", "1-", "0-99999999", "1 2", "0x1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_numbers(text));
  }
}

TEST_CASE("ranks are all, or those of a list") {
  CHECK(RankSet{}.contains(17));
  CHECK(RankSet::parse("all")->contains(17));
  const auto some = RankSet::parse("0,3-5");
  REQUIRE(some);
  CHECK(some->contains(0));
  CHECK(some->contains(4));
  CHECK_FALSE(some->contains(2));
  CHECK_FALSE(RankSet::parse("some"));
}

}  // namespace
}  // namespace atl::launcher
