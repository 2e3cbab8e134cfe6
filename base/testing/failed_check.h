// Lets a test read the message of a failed check.
#pragma once

#include <string>

#include "base/check.h"

namespace atl::testing {

struct FailedCheck {
  std::string sentence;
};

// While an object of this class exists, a failed check throws a FailedCheck.
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
