// Checks that end the process with a message when a value is invalid.
//
//   ATL_CHECK(index < count, "a message names transfer %u, which no rank has", index);
//     In all builds; costs one predicted branch. For values read from memory that another process
//     writes, before they are used as an offset, a length, an index or an address; and for errors
//     that would otherwise corrupt the program's data silently.
//   ATL_DCHECK(queue.empty());
//     In debug builds only (without NDEBUG; sanitizer builds are debug builds). For invariants of
//     this process alone. Other builds compile the condition but do not evaluate it.
#pragma once

namespace atl {

// Must end this process or throw; `sentence` says what is wrong.
using CheckHandler = void (*)(const char* sentence);

// To be set while only one thread of the process is in Atoll. Null: print and abort.
inline CheckHandler check_handler = nullptr;

// Reports a value that no correct process writes. The format says which value is wrong.
[[noreturn, gnu::cold, gnu::noinline, gnu::format(printf, 1, 2)]] void check_failed(
    const char* format, ...);

[[noreturn, gnu::cold, gnu::noinline]] void debug_check_failed(const char* condition,
                                                               const char* file, int line);

}  // namespace atl

#define ATL_CHECK(condition, ...) \
  (__builtin_expect(!(condition), 0) ? ::atl::check_failed(__VA_ARGS__) : static_cast<void>(0))

#ifdef NDEBUG
#define ATL_DCHECK(condition) static_cast<void>(sizeof(!(condition)))
#else
#define ATL_DCHECK(condition)                                                                    \
  (__builtin_expect(!(condition), 0) ? ::atl::debug_check_failed(#condition, __FILE__, __LINE__) \
                                     : static_cast<void>(0))
#endif
