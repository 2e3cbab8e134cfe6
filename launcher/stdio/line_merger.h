// Lines that several ranks write are printed once (--merge).
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

// Keeps the lines of each rank in order. The next line goes out when every rank
// that still writes has one to compare, or when it has waited long enough.
class LineMerger {
 public:
  using Clock = std::chrono::steady_clock;
  // Receives the ranks that wrote a line, ascending, and the line with its newline.
  using Print = std::function<void(const std::vector<int>& ranks, std::string_view line)>;

  static constexpr auto kPatience = std::chrono::milliseconds(100);
  static constexpr std::size_t kMostBytes = 1u << 20;  // that are kept

  explicit LineMerger(Print print) : print_(std::move(print)) {}

  void open(int rank);
  // Whole lines, or what is left of one at the end.
  void add(int rank, std::string_view lines, Clock::time_point now);
  void close(int rank);

  // Prints what is ready.
  void advance(Clock::time_point now);
  // When the next line has waited long enough.
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
