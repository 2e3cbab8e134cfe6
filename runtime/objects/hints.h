// The hints of an object (MPI 5.0, 10 and 7.4.4): an object stores the hints of an info argument
// that its kind of object knows, and ignores the others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/objects/info.h"

namespace atl {

// A key that a kind of object knows.
struct Hint {
  enum class Value { truth, text, fixed };  // "true" or "false"; any text; read-only

  const char* key;
  const char* initial;  // initial value; null: none
  Value value = Value::truth;
};

// For communicators: the assertions of 7.4.4 and the memory kinds of 11.4.3.
std::span<const Hint> communicator_hints();

// For sessions (11.3.1): thread_level is the granted level.
std::span<const Hint> session_hints();

// For windows (12.2.1, 12.2.3). What is not a hint to Atoll is stored and returned.
std::span<const Hint> window_hints();

// The alignment that the hint mpi_minimum_memory_alignment asks for, at least `least`. The hint is
// ignored unless it is a power of two.
std::size_t wanted_alignment(const Info& info, std::size_t least);

// The hints of one object. MPI_X_set_info calls apply(), MPI_X_get_info returns a copy of in_use().
class Hints {
 public:
  explicit Hints(std::span<const Hint> known);

  // Ignores unknown keys, and values that a key cannot have.
  void apply(const Info& wanted);

  const Info& in_use() const { return in_use_; }

  // Whether an assertion was made.
  bool asserts(std::string_view key) const;

 private:
  std::span<const Hint> known_;
  Info in_use_;
};

}  // namespace atl
