// Hints that an object keeps (MPI 5.0, 10 and 7.4.4): those of an info argument
// that are known for this kind of object; the others are ignored.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/objects/info.h"

namespace atl {

// A key that a kind of object knows.
struct Hint {
  enum class Value { truth, text, fixed };  // "true" or "false"; anything; not to be changed

  const char* key;
  const char* initial;  // its value when nobody sets it; null: none
  Value value = Value::truth;
};

// Of communicators: assertions of 7.4.4, and the kinds of memory of 11.4.3.
std::span<const Hint> communicator_hints();

// Of sessions (11.3.1): thread_level is what was granted.
std::span<const Hint> session_hints();

// The hints of one object. MPI_X_set_info calls apply(), MPI_X_get_info gives
// out a copy of in_use().
class Hints {
 public:
  explicit Hints(std::span<const Hint> known);

  // Values that the key cannot have are ignored like unknown keys.
  void apply(const Info& wanted);

  const Info& in_use() const { return in_use_; }

  // Whether an assertion was made.
  bool asserts(std::string_view key) const;

 private:
  std::span<const Hint> known_;
  Info in_use_;
};

}  // namespace atl
