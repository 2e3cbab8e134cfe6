// Splits the output of a rank into whole lines, and adds labels in front of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace atl::launcher {

// Stores what a rank has written since its last newline.
class LineSplitter {
 public:
  static constexpr std::size_t kLongestLine = 1u << 20;  // longer lines are divided

  // Calls whole(text) with the lines that `bytes` completes, or with a part of
  // a line that is too long; at most once.
  template <class Whole>
  void feed(std::string_view bytes, Whole&& whole);

  // Returns and removes the unfinished last line.
  std::string take_rest() { return std::exchange(rest_, {}); }
  bool has_rest() const { return !rest_.empty(); }

 private:
  std::string rest_;
};

template <class Whole>
void LineSplitter::feed(std::string_view bytes, Whole&& whole) {
  const std::size_t end = bytes.rfind('\n') + 1;  // 0: no newline
  if (end == 0) {
    rest_ += bytes;
    if (rest_.size() >= kLongestLine) whole(std::string_view(take_rest()));
    return;
  }
  if (rest_.empty()) {
    whole(bytes.substr(0, end));
  } else {
    rest_ += bytes.substr(0, end);
    whole(std::string_view(rest_));
  }
  rest_ = bytes.substr(end);
}

// Puts `label` in front of each line of `text`; in front of the first line only when
// `first_begins`, since otherwise `text` begins within a line.
inline std::string labelled(std::string_view text, std::string_view label, bool first_begins) {
  std::string result;
  bool begins = first_begins;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (begins) result += label;
    result += text.substr(0, end);
    text.remove_prefix(end);
    begins = true;
  }
  return result;
}

}  // namespace atl::launcher
