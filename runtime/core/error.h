// How internal functions report errors: an error class in a register, and a sentence for the user
// in thread-local memory.
#pragma once

#include <string>

namespace atl {

class Communicator;

// The outcome of an operation: success, or one of the standard's error classes. The sentence
// stays valid until the thread's next error.
class [[nodiscard]] Error {
 public:
  constexpr Error() = default;  // success

  explicit constexpr operator bool() const { return error_class_ != 0; }
  constexpr int error_class() const {
    return error_class_;
  }  // an MPI_ERR_ value, or what a callback returned

  // The argument, its value and what is wrong with it.
  const std::string& text() const;

  // The communicator whose error handler runs when no argument of the call determines it; may be
  // null.
  Communicator* communicator() const;

 private:
  friend Error make_error(int, const char*, ...);
  friend Error make_error_for(int, std::string, Communicator*);
  explicit constexpr Error(int error_class) : error_class_(error_class) {}

  int error_class_ = 0;
};

// Makes an Error. The sentence leaves out the call's name, which the API adds.
[[gnu::cold, gnu::format(printf, 2, 3)]] Error make_error(int error_class, const char* format, ...);
[[gnu::cold]] Error make_error_for(int error_class, std::string text, Communicator* communicator);

}  // namespace atl
