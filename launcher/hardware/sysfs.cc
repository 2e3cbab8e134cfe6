#include "launcher/hardware/sysfs.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

#include "launcher/base/descriptor.h"
#include "launcher/base/rank_set.h"
#include "launcher/base/text.h"

namespace atl::launcher {

std::optional<std::string> read_line(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[4096];  // the kernel gives no more of such a file
  const ssize_t length = file.open() ? ::read(file.number(), text, sizeof text) : -1;
  if (length < 0) return std::nullopt;
  const std::string_view all(text, static_cast<std::size_t>(length));
  return std::string(all.substr(0, all.find('\n')));
}

std::optional<int> read_number(const std::string& path) {
  const auto line = read_line(path);
  return line ? number_in<int>(*line) : std::nullopt;
}

std::optional<CpuSet> read_cpu_list(const std::string& path) {
  const auto line = read_line(path);
  const auto numbers = line ? parse_numbers(*line) : std::nullopt;
  if (!numbers) return std::nullopt;
  CpuSet set;
  for (const int cpu : *numbers) set.add(cpu);
  return set;
}

std::optional<CpuSet> read_cpu_mask(const std::string& path) {
  const auto line = read_line(path);
  return line ? parse_cpu_mask(*line) : std::nullopt;
}

std::optional<CpuSet> parse_cpu_mask(std::string_view text) {
  constexpr int kBitsOfDigit = 4;
  CpuSet set;
  int first = 0;  // bit of the digit
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    if (*digit == ',') continue;
    const auto value = number_in<int>(std::string_view(&*digit, 1), 16);
    if (!value) return std::nullopt;
    for (int bit = 0; bit < kBitsOfDigit; ++bit) {
      if ((*value >> bit & 1) != 0) set.add(first + bit);
    }
    first += kBitsOfDigit;
  }
  return set;
}

}  // namespace atl::launcher
