#include "launcher/cli/option_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

void show_help(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::help; }
void show_version(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::version; }
void show_manual(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::manual; }
void show_node(OptionWords&, Plan& plan, Part&) { plan.action = Plan::Action::information; }

constexpr Option kInformationOptions[] = {
    {"--help -h", "", "Print this text.", show_help},
    {"--version -V", "", "Print the version.", show_version},
    {"-info", "", "Print the version, and what a job may use of this machine.", show_node},
    {"--man", "", "Print the manual page, in mdoc format.", show_manual},
};

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

// Calls visit(option, name as written) for every name of every option.
template <class Visit>
void for_each_name(Visit&& visit) {
  for (const OptionGroup& group : option_groups()) {
    for (const Option& option : group.options) {
      for (const std::string& name : split(option.names, ' ')) visit(option, name);
    }
  }
}

}  // namespace

std::span<const OptionGroup> option_groups() {
  static const OptionGroup groups[] = {
      {"Programs", program_options()},
      {"Placement", placement_options()},
      {"Input and output", output_options()},
      {"Control", control_options()},
      {"Options of other launchers", compatibility_options()},
      {"Information", kInformationOptions},
  };
  return groups;
}

const Option* find_option(std::string_view name) {
  const Option* found = nullptr;
  for_each_name([&](const Option& option, std::string_view written) {
    if (without_dashes(written) == name) found = &option;
  });
  return found;
}

std::string nearest_option(std::string_view name) {
  std::string nearest;
  int best = static_cast<int>(name.size()) / 2 + 1;  // farther is not alike
  for_each_name([&](const Option&, const std::string& written) {
    const int distance = edit_distance(name, without_dashes(written));
    if (distance >= best) return;
    best = distance;
    nearest = written;
  });
  return nearest;
}

int parse_number(const std::string& text, int least, const OptionWords& words,
                 std::string_view what) {
  const auto value = number_in<int>(text);
  if (!value || *value < least) words.fail(fmt::format("'{}' is not {}", text, what));
  return *value;
}

double parse_seconds(const std::string& text, const OptionWords& words) {
  const auto seconds = number_in<double>(text);
  constexpr double kLongest = 1e8;  // three years; also keeps infinity out
  if (!seconds || !(*seconds > 0) || *seconds > kLongest) {
    words.fail(fmt::format("'{}' is not a number of seconds above 0", text));
  }
  return *seconds;
}

std::string OptionWords::next() {
  if (!more()) fail(fmt::format("{} is missing", expected_));
  return rest_[taken_++];
}

int OptionWords::next_number(int least, std::string_view what) {
  return parse_number(next(), least, *this, what);
}

RankSet OptionWords::next_ranks() {
  const std::string text = next();
  const auto ranks = RankSet::parse(text);
  if (!ranks) fail(fmt::format("'{}' is not a list of ranks, as 0,3-5", text));
  return *ranks;
}

void OptionWords::fail(const std::string& what) const { throw UsageError{option_ + ": " + what}; }

}  // namespace atl::launcher
