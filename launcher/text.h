// Small helpers for what mpiexec says.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace atl::launcher {

// Ascending numbers as people write them: "0-3,8".
std::string ranges(std::span<const int> numbers);

// "1 rank", "2 ranks".
std::string counted(std::uint64_t count, std::string_view noun);

// The number that the whole text is, if it is one.
template <class Number, class... Base>
std::optional<Number> number_in(std::string_view text, Base... base) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base...);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string> split(std::string_view text, char separator);

std::string lower_case(std::string_view text);

// How many letters must be added, taken away or changed to get from one word
// to the other.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace atl::launcher
