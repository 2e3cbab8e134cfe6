// From a command line to a plan.
//
//   mpiexec [options] program [arguments] [: [options] program [arguments]]...
//
// Any option may be written with one dash or two, and its argument as the next
// word or after '='. Options end at the first word that is not one, or at --.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "launcher/placement/plan.h"

namespace atl::launcher {

// Thrown while a command line is read; parse_options catches it.
struct UsageError {
  std::string text;
};

// `arguments` are those behind the program's name. `timeout` is the value of
// MPIEXEC_TIMEOUT, or null.
std::variant<Plan, UsageError> parse_options(std::span<const std::string> arguments,
                                             const char* timeout);

}  // namespace atl::launcher
