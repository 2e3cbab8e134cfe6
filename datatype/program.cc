#include "datatype/program.h"

#include <cstdlib>

namespace atl::datatype {

std::size_t Program::band() const {
  constexpr Count kLine = 64;
  constexpr std::size_t kMostBand = 512 * 1024;  // fits into a second-level cache
  const Node& root = nodes_[0];
  if (root.kind != Node::Kind::run || root.dimensions.size() < 2) return 0;
  const auto width = [](const Dimension& loop) { return std::abs(loop.stride); };
  std::size_t band = 0;
  for (auto loop = root.dimensions.rbegin() + 1; loop != root.dimensions.rend(); ++loop) {
    const bool shares_lines = width(*loop) != 0 && width(*loop) * 2 <= kLine;
    if (!shares_lines || width(root.dimensions.back()) < kLine) continue;
    band = static_cast<std::size_t>(kLine / width(*loop)) * loop->bytes;
  }
  return band <= kMostBand ? band : 0;
}

}  // namespace atl::datatype
