#include "launcher/process/program_file.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

using Words = std::vector<std::string>;

Words arguments_of(const Program& program) {
  Words words;
  for (char* const* word = program.arguments(); *word != nullptr; ++word) words.emplace_back(*word);
  return words;
}

Program started(const Program& program, const std::vector<Wrap>& wraps, int rank) {
  auto made = wrapped(program, wraps, rank);
  REQUIRE(std::holds_alternative<Program>(made));
  return std::move(std::get<Program>(made));
}

TEST_CASE("commands are wrapped around the ranks that they are meant for") {
  const Program program("prog", "/opt/prog", {"prog", "-x", "a b"});
  const std::vector<Wrap> wraps{{{"/bin/env", "-i"}, {}}, {{"nice"}, *RankSet::parse("1")}};
  const Program first = started(program, wraps, 0);
  CHECK(std::string(first.file()) == "/bin/env");
  CHECK(arguments_of(first) == Words{"/bin/env", "-i", "/opt/prog", "-x", "a b"});
  CHECK(first.name() == "prog");
  CHECK(arguments_of(started(program, wraps, 1)) ==
        Words{"/bin/env", "-i", "nice", "/opt/prog", "-x", "a b"});
  const Program bare = started(program, {}, 1);
  CHECK(std::string(bare.file()) == "/opt/prog");
  CHECK(arguments_of(bare) == Words{"prog", "-x", "a b"});
}

TEST_CASE("a wrapping command that does not exist is named") {
  const auto made = wrapped(Program("a", "./a", {"a"}), {{{"no-such-tool"}, {}}}, 0);
  REQUIRE(std::holds_alternative<StartFailure>(made));
  CHECK(std::get<StartFailure>(made).text.find("no-such-tool") != std::string::npos);
}

}  // namespace
}  // namespace atl::launcher
