#include "base/copy.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <vector>

namespace atl {
namespace {

constexpr std::byte kUntouched{0xee};

std::vector<std::byte> numbered(std::size_t bytes) {
  std::vector<std::byte> made(bytes);
  for (std::size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>(i * 31 + i / 256);
  return made;
}

// Whether `copy(to, from, bytes)` copies these bytes and changes no others.
template <class Copy>
bool copies(Copy copy, std::size_t to, std::size_t from, std::size_t bytes) {
  constexpr std::size_t kBeside = 64;
  const std::vector<std::byte> source = numbered(from + bytes);
  std::vector<std::byte> target(to + bytes + kBeside, kUntouched);
  copy(target.data() + to, source.data() + from, bytes);
  std::vector<std::byte> expected(to + bytes + kBeside, kUntouched);
  std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), bytes,
              expected.begin() + static_cast<std::ptrdiff_t>(to));
  return target == expected;
}

// All lengths up to `most`, at several alignments within a word and a vector.
template <class Copy>
void check_lengths(Copy copy, std::size_t most) {
  for (std::size_t bytes = 0; bytes <= most; ++bytes) {
    for (const std::size_t to : {0, 1, 7, 16, 31}) {
      for (const std::size_t from : {0, 1, 4, 16, 33}) {
        CAPTURE(bytes);
        CAPTURE(to);
        CAPTURE(from);
        CHECK(copies(copy, to, from, bytes));
      }
    }
  }
}

TEST_CASE("a small copy is right for every length that it takes") {
  check_lengths(copy_small<16>, 16);
  check_lengths(copy_small<32>, 32);
  check_lengths(copy_small<40>, 40);
  check_lengths(copy_small<48>, 48);
  check_lengths(copy_small<64>, 64);
  check_lengths(copy_small<128>, 128);
  check_lengths(copy_small<>, 140);
}

TEST_CASE("a copy is right for every length, also where the method changes") {
  check_lengths(copy_bytes, 80);
  for (const std::size_t bytes : {255, 1023, 1024, 1025, 2047, 2048, 2049, 5000, 70000}) {
    CAPTURE(bytes);
    CHECK(copies(copy_bytes, 0, 0, bytes));
    CHECK(copies(copy_bytes, 3, 0, bytes));
    CHECK(copies(copy_bytes, 0, 5, bytes));
  }
}

TEST_CASE("a copy of no bytes accepts null addresses") { copy_bytes(nullptr, nullptr, 0); }

TEST_CASE("the slow distances are 1 to 63 bytes behind the source, modulo a page") {
  const auto is_slow = [](std::uintptr_t to, std::uintptr_t from) {
    return slow_for_rep_movsb(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from));
  };
  constexpr std::uintptr_t kPage = 4096;
  for (const std::uintptr_t from : {10 * kPage, 10 * kPage + 16, 11 * kPage - 1}) {
    for (const std::uintptr_t to : {from - kPage, from, from + kPage, from + 100 * kPage}) {
      CHECK_FALSE(is_slow(to - 1, from));
      CHECK_FALSE(is_slow(to, from));
      CHECK(is_slow(to + 1, from));
      CHECK(is_slow(to + 63, from));
      CHECK_FALSE(is_slow(to + 64, from));
    }
  }
}

TEST_CASE("copies are right at every distance within a page, the slow ones too") {
  constexpr std::size_t kBytes = 3000;
  const std::vector<std::byte> source = numbered(kBytes);
  std::vector<std::byte> target(kBytes + 4096 + 1);
  int slow = 0;
  for (std::size_t offset = 0; offset < 4096; offset += 7) {
    std::fill(target.begin(), target.end(), kUntouched);
    std::byte* const to = target.data() + offset;
    copy_bytes(to, source.data(), kBytes);
    slow += slow_for_rep_movsb(to, source.data());
    CHECK(std::memcmp(to, source.data(), kBytes) == 0);
    CHECK((offset == 0 || to[-1] == kUntouched));
    CHECK(to[kBytes] == kUntouched);
  }
  CHECK(slow > 0);
}

}  // namespace
}  // namespace atl
