#include "launcher/cli/help.h"

#include <doctest/doctest.h>

#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"

namespace atl::launcher {
namespace {

TEST_CASE("help and manual name every option") {
  const std::string help = help_text();
  const std::string manual = manual_page();
  for (const OptionGroup& group : option_groups()) {
    for (const Option& option : group.options) {
      for (const std::string& name : split(option.names, ' ')) {
        CAPTURE(name);
        CHECK(help.find(name) != std::string::npos);
        std::string in_manual = "Fl ";
        for (const char letter : name.substr(1)) {
          in_manual += letter == '-' ? "\\-" : std::string(1, letter);
        }
        CHECK(manual.find(in_manual) != std::string::npos);
      }
    }
  }
}

TEST_CASE("help fits a terminal of 80 columns") {
  for (const std::string& line : split(help_text(), '\n')) {
    CAPTURE(line);
    CHECK(line.size() < 80);
  }
}

TEST_CASE("the version is the first line") { CHECK(version_text().starts_with("atoll ")); }

}  // namespace
}  // namespace atl::launcher
