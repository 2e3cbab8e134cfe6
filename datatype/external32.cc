#include "datatype/external32.h"

#include <algorithm>
#include <cstring>

#include "datatype/walk.h"

namespace atl::datatype {
namespace {

const Basic& basic_of(const Datatype& type) { return std::get<Basic>(type.structure()); }

// Copies a value of `bytes` bytes with their order reversed.
void reverse(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::reverse_copy(from, from + bytes, to);
}

template <class Word>
void reverse_words(std::byte* to, const std::byte* from, Count number) {
  for (Count i = 0; i < number; ++i, to += sizeof(Word), from += sizeof(Word)) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    if constexpr (sizeof(Word) == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof(Word) == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof(Word) == 8) word = __builtin_bswap64(word);
    std::memcpy(to, &word, sizeof word);
  }
}

// Converts parts that have the same width on both sides, in either direction.
void reverse_parts(std::byte* to, const std::byte* from, std::size_t width, Count number) {
  switch (width) {
    case 1: std::memcpy(to, from, static_cast<std::size_t>(number)); return;
    case 2: return reverse_words<std::uint16_t>(to, from, number);
    case 4: return reverse_words<std::uint32_t>(to, from, number);
    case 8: return reverse_words<std::uint64_t>(to, from, number);
    default: break;
  }
  for (Count i = 0; i < number; ++i, to += width, from += width) reverse(to, from, width);
}

// Writes the lowest bytes of an integer. True when the other bytes are redundant.
bool pack_narrow(std::byte* to, const std::byte* from, const Basic& basic) {
  reverse(to, from, basic.external);
  const bool negative = basic.format == Format::signed_integer &&
                        (from[basic.external - 1] & std::byte{0x80}) != std::byte{0};
  const std::byte fill = negative ? std::byte{0xff} : std::byte{0};
  return std::all_of(from + basic.external, from + basic.width,
                     [=](std::byte byte) { return byte == fill; });
}

void unpack_narrow(std::byte* to, const std::byte* from, const Basic& basic) {
  const bool negative =
      basic.format == Format::signed_integer && (from[0] & std::byte{0x80}) != std::byte{0};
  reverse(to, from, basic.external);
  std::fill(to + basic.external, to + basic.width, negative ? std::byte{0xff} : std::byte{0});
}

// long double is binary128 in external32.
void pack_extended(std::byte* to, const std::byte* from) {
  long double value;
  std::memcpy(&value, from, sizeof value);
  const auto wide = static_cast<__float128>(value);
  std::byte bytes[sizeof wide];
  std::memcpy(bytes, &wide, sizeof wide);
  reverse(to, bytes, sizeof wide);
}

void unpack_extended(std::byte* to, const std::byte* from) {
  std::byte bytes[sizeof(__float128)];
  reverse(bytes, from, sizeof bytes);
  __float128 wide;
  std::memcpy(&wide, bytes, sizeof wide);
  const auto value = static_cast<long double>(wide);
  std::memset(to, 0, sizeof value);
  std::memcpy(to, &value, 10);  // the rest is padding
}

bool is_plain(const Basic& basic) {
  return basic.width == basic.external && basic.format != Format::x87;
}

// Converts `number` consecutive parts of values.
bool pack_parts(std::byte* to, const std::byte* from, const Basic& basic, Count number) {
  if (is_plain(basic)) {
    reverse_parts(to, from, basic.width, number);
    return true;
  }
  bool fit = true;
  for (Count i = 0; i < number; ++i, to += basic.external, from += basic.width) {
    if (basic.format == Format::x87) {
      pack_extended(to, from);
    } else {
      fit = pack_narrow(to, from, basic) && fit;
    }
  }
  return fit;
}

void unpack_parts(std::byte* to, const std::byte* from, const Basic& basic, Count number) {
  if (is_plain(basic)) return reverse_parts(to, from, basic.width, number);
  for (Count i = 0; i < number; ++i, to += basic.width, from += basic.external) {
    if (basic.format == Format::x87) {
      unpack_extended(to, from);
    } else {
      unpack_narrow(to, from, basic);
    }
  }
}

std::size_t external_of(const Basic& basic, Count number) {
  return static_cast<std::size_t>(number) * basic.external * basic.parts;
}

}  // namespace

std::size_t external_size(const Datatype& type) {
  if (type.size() == 0) return 0;
  if (const auto* basic = std::get_if<Basic>(&type.structure())) return external_of(*basic, 1);
  if (const auto* fields = std::get_if<Fields>(&type.structure())) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < type.children().size(); ++i) {
      sum += static_cast<std::size_t>(fields->blocklengths[i]) * external_size(*type.children()[i]);
    }
    return sum;
  }
  const Datatype& child = *type.children()[0];
  return type.size() / child.size() * external_size(child);
}

bool pack_external(const Datatype& type, const void* from, Count count, std::byte* to) {
  const auto* base = static_cast<const std::byte*>(from);
  bool fit = true;
  auto visit = [&](const Datatype& value, Count at, Count number) {
    const Basic& basic = basic_of(value);
    fit = pack_parts(to, base + at, basic, number * basic.parts) && fit;
    to += external_of(basic, number);
    return true;
  };
  walk(type, 0, count, visit);
  return fit;
}

void unpack_external(const Datatype& type, void* to, Count count, const std::byte* from) {
  auto* base = static_cast<std::byte*>(to);
  auto visit = [&](const Datatype& value, Count at, Count number) {
    const Basic& basic = basic_of(value);
    unpack_parts(base + at, from, basic, number * basic.parts);
    from += external_of(basic, number);
    return true;
  };
  walk(type, 0, count, visit);
}

}  // namespace atl::datatype
