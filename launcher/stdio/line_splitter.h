// Whole lines out of what a rank writes, and labels in front of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace atl::launcher {

// Keeps what a rank has written since its last newline.
class LineSplitter {
 public:
  static constexpr std::size_t kLongestLine = 1u << 20;  // a longer one comes in pieces

  // Calls whole(text) with the lines that `bytes` completes, or with a piece of
  // a line that is too long; at most once.
  template <class Whole>
  void feed(std::string_view bytes, Whole&& whole);

  // What is left of a line that did not end.
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

// Puts `label` in front of each line of `text`; of the first one only when it
// begins there.
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
