// Helpers for the messages of mpiexec.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace atl::launcher {

// A text that another process wrote, which may lack the terminating null. Control characters,
// which would move the cursor or begin a line, are replaced by '?'.
template <std::size_t N>
std::string text_of(const char (&field)[N]) {
  std::string text(field, ::strnlen(field, N));
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\177') letter = '?';
  }
  return text;
}

// Whether `text` is a valid name of a C function.
bool is_name(std::string_view text);

// Ascending numbers as people write them: "0-3,8".
std::string ranges(std::span<const int> numbers);

// "1 rank", "2 ranks".
std::string counted(std::uint64_t count, std::string_view noun);

// The value of the text if all of it is a number.
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

// The number of letters that must be inserted, deleted or changed to turn one word into the
// other.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace atl::launcher
