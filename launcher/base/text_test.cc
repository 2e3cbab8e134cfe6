#include "launcher/base/text.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("numbers that follow each other become ranges") {
  CHECK(ranges(std::vector<int>{}) == "");
  CHECK(ranges(std::vector{5}) == "5");
  CHECK(ranges(std::vector{0, 1, 2, 3, 8}) == "0-3,8");
  CHECK(ranges(std::vector{1, 3, 4}) == "1,3-4");
}

TEST_CASE("edit distance counts letters added, taken away and changed") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("bind-to", "bindto") == 1);
  CHECK(edit_distance("np", "pn") == 2);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("splitting keeps empty pieces") {
  CHECK(split("a:b", ':') == std::vector<std::string>{"a", "b"});
  CHECK(split(":", ':') == std::vector<std::string>{"", ""});
  CHECK(split("", ':') == std::vector<std::string>{""});
}

TEST_CASE("one rank, two ranks") {
  CHECK(counted(1, "rank") == "1 rank");
  CHECK(counted(0, "rank") == "0 ranks");
}

}  // namespace
}  // namespace atl::launcher
