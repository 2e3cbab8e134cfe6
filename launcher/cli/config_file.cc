#include "launcher/cli/config_file.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/cli/options.h"

namespace atl::launcher {
namespace {

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;  // of a word, which may be empty
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    const bool blank = letter == ' ' || letter == '\t' || letter == '\r';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (letter == quote) {
      quote = 0;
    } else if (quote == 0 && (letter == '"' || letter == '\'')) {
      quote = letter;
    } else if (quote != '\'' && letter == '\\' && i + 1 < line.size()) {
      words.back() += line[++i];
    } else {
      words.back() += letter;
    }
  }
  return words;
}

}  // namespace

std::vector<std::string> words_of_text(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& line : split(text, '\n')) {
    const std::vector<std::string> more = words_of_line(line);
    if (more.empty() || more[0].starts_with('#')) continue;
    if (!words.empty()) words.emplace_back(":");
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

std::vector<std::string> words_of_file(const std::string& option, const std::string& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    throw UsageError{fmt::format("{}: cannot read '{}': {}", option, file,
                                 std::system_category().message(errno))};
  }
  return words_of_text(text);
}

}  // namespace atl::launcher
