// The file of -configfile: the parts of a command line, one a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace atl::launcher {

// The words of `text` as they would stand on the command line, a colon between
// two lines. Words are separated by blanks; quotes of both kinds keep blanks, and
// a backslash keeps what follows it. Empty lines and those that start with # are
// left out.
std::vector<std::string> words_of_text(std::string_view text);

// The same of a file. Throws UsageError in the name of `option`.
std::vector<std::string> words_of_file(const std::string& option, const std::string& file);

}  // namespace atl::launcher
