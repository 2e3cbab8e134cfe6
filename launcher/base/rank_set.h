// Sets of ranks in options: "0,3-5" or "all".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atl::launcher {

// Numbers in any order: "0,3-5" is 0, 3, 4 and 5. Nothing when the text is no such list.
std::optional<std::vector<int>> parse_numbers(std::string_view text);

class RankSet {
 public:
  RankSet() = default;  // all ranks

  static std::optional<RankSet> parse(std::string_view text);

  bool contains(int rank) const;

 private:
  std::optional<std::vector<int>> ranks_;  // nothing: all
};

}  // namespace atl::launcher
