#include "runtime/core/fault.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace atl {
namespace {

struct Details {
  std::string text;
  Communicator* communicator = nullptr;
};
thread_local Details details;  // of this thread's last fault

}  // namespace

const std::string& Fault::text() const { return details.text; }

Communicator* Fault::communicator() const { return details.communicator; }

Fault fail_with(int error_class, std::string text, Communicator* communicator) {
  details = {std::move(text), communicator};
  return Fault(error_class);
}

Fault fail(int error_class, const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return fail_with(error_class, text, nullptr);
}

}  // namespace atl
