// Lets a test see what a failed check says.
#pragma once

#include <string>

#include "base/check.h"

namespace atl::testing {

struct FailedCheck {
  std::string sentence;
};

// While it lives, a failed check throws a FailedCheck.
class ThrowsFailedChecks {
 public:
  ThrowsFailedChecks() {
    check_handler = [](const char* sentence) { throw FailedCheck{sentence}; };
  }
  ~ThrowsFailedChecks() { check_handler = nullptr; }
  ThrowsFailedChecks(const ThrowsFailedChecks&) = delete;
  ThrowsFailedChecks& operator=(const ThrowsFailedChecks&) = delete;
};

}  // namespace atl::testing
