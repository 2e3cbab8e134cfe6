#include "launcher/stdio/line_merger.h"

#include <algorithm>

namespace atl::launcher {

void LineMerger::open(int rank) { writers_.push_back({rank}); }

void LineMerger::add(int rank, std::string_view lines, Clock::time_point now) {
  const auto source = std::ranges::find(writers_, rank, &Writer::rank);
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    source->lines.push_back({std::string(lines.substr(0, end)) + '\n', now});
    bytes_ += source->lines.back().text.size();
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
  }
}

void LineMerger::close(int rank) { std::ranges::find(writers_, rank, &Writer::rank)->open = false; }

void LineMerger::advance(Clock::time_point now) {
  while (ready(now)) print(choose());
}

std::optional<LineMerger::Clock::time_point> LineMerger::due() const {
  std::optional<Clock::time_point> oldest;
  for (const Writer& source : writers_) {
    if (source.lines.empty()) continue;
    if (!oldest || source.lines.front().came < *oldest) oldest = source.lines.front().came;
  }
  return oldest ? std::optional(*oldest + kPatience) : std::nullopt;
}

bool LineMerger::ready(Clock::time_point now) const {
  const auto next = due();
  if (!next) return false;
  const bool complete = std::ranges::none_of(
      writers_, [](const Writer& source) { return source.open && source.lines.empty(); });
  return complete || *next <= now || bytes_ > kMostBytes;
}

// Whether some rank has other lines before this line.
bool LineMerger::comes_later(const std::string& text) const {
  return std::ranges::any_of(writers_, [&](const Writer& source) {
    return !source.lines.empty() && source.lines.front().text != text &&
           std::ranges::find(source.lines, text, &Line::text) != source.lines.end();
  });
}

// The next line of the first rank whose line no other rank has behind other lines; if there
// is none, the next line of the first rank.
const std::string& LineMerger::choose() const {
  const std::string* first = nullptr;
  for (const Writer& source : writers_) {
    if (source.lines.empty()) continue;
    const std::string& text = source.lines.front().text;
    if (!comes_later(text)) return text;
    if (first == nullptr) first = &text;
  }
  return *first;
}

// `text` is a copy, because the original is removed from the queue.
void LineMerger::print(const std::string text) {
  std::vector<int> ranks;
  for (Writer& source : writers_) {
    if (source.lines.empty() || source.lines.front().text != text) continue;
    ranks.push_back(source.rank);
    bytes_ -= text.size();
    source.lines.pop_front();
  }
  print_(ranks, text);
}

}  // namespace atl::launcher
