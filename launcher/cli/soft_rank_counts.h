// Numbers of ranks that a program can do with: the value of "soft" (MPI 5.0, 11.8.4).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::launcher {

// From `first` to `last` in steps of `stride`, which is not 0.
struct Triplet {
  int first, last, stride;
};

// "2:8:2,16" is a list of first, last and stride; without a stride it is 1, without
// a last one the first stands alone. Nothing when `text` is no such list.
std::optional<std::vector<Triplet>> parse_soft_counts(std::string_view text);

// The largest number in one of the triplets that is at least 1 and at most `most`.
std::optional<int> largest_of(const std::vector<Triplet>& triplets, int most);

}  // namespace atl::launcher
