#include "launcher/cli/soft_rank_counts.h"

#include <algorithm>
#include <cstddef>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

std::optional<Triplet> parse_triplet(const std::string& text) {
  const std::vector<std::string> pieces = split(text, ':');
  if (pieces.size() > 3) return {};
  int numbers[3] = {0, 0, 1};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto number = number_in<int>(pieces[i]);
    if (!number) return {};
    numbers[i] = *number;
  }
  if (pieces.size() == 1) numbers[1] = numbers[0];
  if (numbers[2] == 0) return {};
  return Triplet{numbers[0], numbers[1], numbers[2]};
}

// 0 when there is none.
long long largest_in(const Triplet& triplet, long long most) {
  long long first = triplet.first, stride = triplet.stride;
  if (stride < 0) {  // the same upwards
    if (triplet.last > first) return 0;
    first += (triplet.last - first) / stride * stride;
    stride = -stride;
    most = std::min<long long>(most, triplet.first);
  } else {
    most = std::min<long long>(most, triplet.last);
  }
  if (most < first) return 0;
  return std::max(0LL, first + (most - first) / stride * stride);
}

}  // namespace

std::optional<std::vector<Triplet>> parse_soft_counts(std::string_view text) {
  std::vector<Triplet> triplets;
  for (const std::string& piece : split(text, ',')) {
    const auto triplet = parse_triplet(piece);
    if (!triplet) return {};
    triplets.push_back(*triplet);
  }
  return triplets;
}

std::optional<int> largest_of(const std::vector<Triplet>& triplets, int most) {
  long long largest = 0;
  for (const Triplet& triplet : triplets) largest = std::max(largest, largest_in(triplet, most));
  if (largest == 0) return {};
  return static_cast<int>(largest);
}

}  // namespace atl::launcher
