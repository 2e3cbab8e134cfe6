#include "base/check.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace atl {
namespace {

constexpr std::size_t kLongest = 512;  // bytes of a message

[[noreturn]] void end(const char* sentence) {
  if (check_handler != nullptr) check_handler(sentence);
  std::fprintf(stderr, "%s\n", sentence);
  std::abort();
}

}  // namespace

// Some process has stored through a bad pointer, so the job cannot continue.
void check_failed(const char* format, ...) {
  char what[kLongest / 2];
  va_list values;
  va_start(values, format);
  std::vsnprintf(what, sizeof what, format, values);
  va_end(values);
  char sentence[kLongest];
  std::snprintf(sentence, sizeof sentence,
                "the job's shared memory is damaged: %s; some rank has probably written through "
                "a bad pointer (-fsanitize=address and valgrind find such)",
                what);
  end(sentence);
}

void debug_check_failed(const char* condition, const char* file, int line) {
  char sentence[kLongest];
  std::snprintf(sentence, sizeof sentence, "internal error: %s:%d: not so: %s", file, line,
                condition);
  end(sentence);
}

}  // namespace atl
