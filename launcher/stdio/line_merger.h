// Prints lines that several ranks write once (--merge).
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::launcher {

// Stores the lines of each rank in order. The next line is printed when every rank that
// still writes has a line to compare, or when it has waited for kPatience.
class LineMerger {
 public:
  using Clock = std::chrono::steady_clock;
  // Called with the ranks that wrote a line, ascending, and the line with its newline.
  using Print = std::function<void(const std::vector<int>& ranks, std::string_view line)>;

  static constexpr auto kPatience = std::chrono::milliseconds(100);
  static constexpr std::size_t kMostBytes = 1u << 20;  // stored at a time

  explicit LineMerger(Print print) : print_(std::move(print)) {}

  void open(int rank);
  // `lines`: whole lines, or the unfinished last line of the rank.
  void add(int rank, std::string_view lines, Clock::time_point now);
  void close(int rank);

  // Prints the lines that are ready.
  void advance(Clock::time_point now);
  // When the next line will have waited for kPatience.
  std::optional<Clock::time_point> due() const;

 private:
  struct Line {
    std::string text;
    Clock::time_point came;
  };
  struct Writer {
    int rank;
    bool open = true;
    std::deque<Line> lines{};
  };

  bool ready(Clock::time_point now) const;
  bool comes_later(const std::string& text) const;
  const std::string& choose() const;
  void print(const std::string text);

  Print print_;
  std::vector<Writer> writers_;
  std::size_t bytes_ = 0;
};

}  // namespace atl::launcher
