// Checks that end the process with a sentence, rather than let it go on with a value that
// cannot be.
//
//   ATL_CHECK(index < count, "a message names transfer %u, which no rank has", index);
//     always on, one predicted branch: for what was read from memory that another process
//     writes, before it is used as an offset, a length, an index or an address; and for what
//     would otherwise corrupt the program's data without a word.
//   ATL_DCHECK(queue.empty());
//     in debug builds (without NDEBUG; the sanitizers' are such): what is so by the logic of
//     this process alone. Costs nothing in others, where it is compiled and not evaluated.
#pragma once

namespace atl {

// Ends this process, or throws; `sentence` says what is wrong.
using CheckHandler = void (*)(const char* sentence);

// Set while the process has one thread in Atoll. Null: print and abort.
inline CheckHandler check_handler = nullptr;

// A value that no correct process writes. The format says which value is wrong.
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
