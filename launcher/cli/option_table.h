// The options of mpiexec: names, help text and effect.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/cli/options.h"

namespace atl::launcher {

// The words that follow an option.
class OptionWords {
 public:
  OptionWords(std::string option, std::string_view expected, std::span<const std::string> rest)
      : option_(std::move(option)), expected_(expected), rest_(rest) {}

  std::string next();
  bool more() const { return taken_ < rest_.size(); }
  std::size_t taken() const { return taken_; }

  // A whole number of at least `least`; the error message is "'TEXT' is not `what`".
  int next_number(int least, std::string_view what);

  // Ranks in the format of RankSet::parse().
  RankSet next_ranks();

  // Fails with "--bind-to: " and `what`.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string option_;  // as typed
  std::string_view expected_;
  std::span<const std::string> rest_;
  std::size_t taken_ = 0;
};

struct Option {
  std::string_view names;     // with dashes; help shows them in this order
  std::string_view argument;  // its name in the help; empty: none; "[=RANKS]": only after '='
  std::string_view help;
  void (*apply)(OptionWords& words, Plan& plan, Part& part);

  bool may_lack_argument() const { return argument.starts_with("[="); }
};

struct OptionGroup {
  std::string_view title;
  std::span<const Option> options;
};

// A whole number; calls words.fail() when the text is none or less than `least`.
int parse_number(const std::string& text, int least, const OptionWords& words,
                 std::string_view what);

// A number of seconds; calls words.fail() when the text is none.
double parse_seconds(const std::string& text, const OptionWords& words);

// The groups, each in a file of its own.
std::span<const Option> program_options();
std::span<const Option> placement_options();
std::span<const Option> output_options();
std::span<const Option> control_options();
std::span<const Option> compatibility_options();

std::span<const OptionGroup> option_groups();

// `name` is without dashes. Null when there is no such option.
const Option* find_option(std::string_view name);

// The option most similar to `name`, with its dashes; empty when none is similar.
std::string nearest_option(std::string_view name);

}  // namespace atl::launcher
