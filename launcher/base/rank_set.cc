#include "launcher/base/rank_set.h"

#include <algorithm>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

constexpr int kLargest = 8191;  // no rank and no cpu has a larger number

std::optional<int> parse_number(std::string_view text) {
  const auto value = number_in<int>(text);
  return value && *value >= 0 && *value <= kLargest ? value : std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> parse_numbers(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string& item : split(text, ',')) {
    const std::size_t dash = item.find('-');
    const auto first = parse_number(std::string_view(item).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_number(std::string_view(item).substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    for (int number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::optional<RankSet> RankSet::parse(std::string_view text) {
  RankSet set;
  if (text == "all") return set;
  set.ranks_ = parse_numbers(text);
  if (!set.ranks_) return std::nullopt;
  return set;
}

bool RankSet::contains(int rank) const {
  return !ranks_ || std::find(ranks_->begin(), ranks_->end(), rank) != ranks_->end();
}

}  // namespace atl::launcher
