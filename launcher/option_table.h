// Every option of mpiexec: its names, what it says about itself and what it does.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/options.h"

namespace atl::launcher {

// The words that follow an option.
class OptionWords {
 public:
  OptionWords(std::string option, std::string_view expected, std::span<const std::string> rest)
      : option_(std::move(option)), expected_(expected), rest_(rest) {}

  std::string next();
  std::size_t taken() const { return taken_; }

  // "--bind-to: " and what is wrong.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string option_;  // as typed
  std::string_view expected_;
  std::span<const std::string> rest_;
  std::size_t taken_ = 0;
};

struct Option {
  std::string_view names;     // with dashes as people write them, the first one is shown first
  std::string_view argument;  // what help calls it; empty: none
  std::string_view help;
  void (*apply)(OptionWords& words, Plan& plan, Part& part);
};

struct OptionGroup {
  std::string_view title;
  std::span<const Option> options;
};

std::span<const OptionGroup> option_groups();

// `name` is without dashes. Null when there is no such option.
const Option* find_option(std::string_view name);

// The option, as it is written, that looks most like `name`; empty when none does.
std::string nearest_option(std::string_view name);

// A number of seconds; fails through `words`.
double parse_seconds(const std::string& text, const OptionWords& words);

}  // namespace atl::launcher
