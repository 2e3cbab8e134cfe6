#include "runtime/objects/hints.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace atl {
namespace {

constexpr Hint kCommunicatorHints[] = {
    {"mpi_assert_no_any_tag", "false"},
    {"mpi_assert_no_any_source", "false"},
    {"mpi_assert_exact_length", "false"},
    {"mpi_assert_allow_overtaking", "false"},
    {"mpi_assert_strict_persistent_collective_ordering", "false"},
    {"mpi_memory_alloc_kinds", "system,mpi", Hint::Value::fixed},
    {"mpi_assert_memory_alloc_kinds", nullptr, Hint::Value::text},
};

constexpr Hint kWindowHints[] = {
    {"no_locks", "false"},
    {"accumulate_ordering", "rar,raw,war,waw", Hint::Value::text},
    {"accumulate_ops", "same_op_no_op", Hint::Value::text},
    {"mpi_accumulate_granularity", "0", Hint::Value::text},
    {"same_size", "false"},
    {"same_disp_unit", "false"},
    {"alloc_shared_noncontig", "false"},
    {"mpi_minimum_memory_alignment", "64", Hint::Value::text},
    {"mpi_memory_alloc_kinds", "system,mpi", Hint::Value::fixed},
    {"mpi_assert_memory_alloc_kinds", nullptr, Hint::Value::text},
};

constexpr Hint kSessionHints[] = {
    {"thread_level", nullptr, Hint::Value::text},
    {"mpi_memory_alloc_kinds", "system,mpi", Hint::Value::fixed},
};

bool is_possible(const Hint& hint, std::string_view value) {
  switch (hint.value) {
    case Hint::Value::truth: return value == "true" || value == "false";
    case Hint::Value::text: return true;
    case Hint::Value::fixed: return false;
  }
  return false;
}

}  // namespace

std::span<const Hint> communicator_hints() { return kCommunicatorHints; }

std::span<const Hint> window_hints() { return kWindowHints; }

std::span<const Hint> session_hints() { return kSessionHints; }

std::size_t wanted_alignment(const Info& info, std::size_t least) {
  const std::string* value = info.find("mpi_minimum_memory_alignment");
  if (value == nullptr) return least;
  const char* end = value->data() + value->size();
  std::size_t alignment = 0;
  const auto read = std::from_chars(value->data(), end, alignment);
  const bool valid = read.ec == std::errc{} && read.ptr == end && std::has_single_bit(alignment);
  return valid ? std::max(alignment, least) : least;
}

Hints::Hints(std::span<const Hint> known) : known_(known) {
  for (const Hint& hint : known_) {
    if (hint.initial != nullptr) in_use_.set(hint.key, hint.initial);
  }
}

void Hints::apply(const Info& wanted) {
  for (const Hint& hint : known_) {
    const std::string* value = wanted.find(hint.key);
    if (value != nullptr && is_possible(hint, *value)) in_use_.set(hint.key, *value);
  }
}

bool Hints::asserts(std::string_view key) const {
  const std::string* value = in_use_.find(key);
  return value != nullptr && *value == "true";
}

}  // namespace atl
