#include "runtime/core/error.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace atl {
namespace {

struct Details {
  std::string text;
  Communicator* communicator = nullptr;
};
thread_local Details details;  // of this thread's last error

}  // namespace

const std::string& Error::text() const { return details.text; }

Communicator* Error::communicator() const { return details.communicator; }

Error make_error_for(int error_class, std::string text, Communicator* communicator) {
  details = {std::move(text), communicator};
  return Error(error_class);
}

Error make_error(int error_class, const char* format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return make_error_for(error_class, text, nullptr);
}

}  // namespace atl
