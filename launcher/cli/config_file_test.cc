#include "launcher/cli/config_file.h"

#include <doctest/doctest.h>

#include <variant>

#include "launcher/cli/options.h"

namespace atl::launcher {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("a line is a part, and what says nothing is left out") {
  CHECK(words_of_text("-n 2 ./a one\n\n# no\n-n 1 ./b\n") ==
        Words{"-n", "2", "./a", "one", ":", "-n", "1", "./b"});
  CHECK(words_of_text("").empty());
}

TEST_CASE("quotes and backslashes keep blanks") {
  CHECK(words_of_text("./a 'b c' \"d 'e\" f\\ g '' h\\'") ==
        Words{"./a", "b c", "d 'e", "f g", "", "h'"});
}

TEST_CASE("a file that is not there, and one that comes too late") {
  for (const Words& words :
       {Words{"-configfile", "/nonexistent"}, Words{"-n", "2", "--app", "file"}}) {
    CHECK(std::holds_alternative<UsageError>(parse_options(words, nullptr)));
  }
}

}  // namespace
}  // namespace atl::launcher
