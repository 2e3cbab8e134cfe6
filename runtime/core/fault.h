// How internal functions report errors: an error class in a register, and a
// sentence for the user kept aside until somebody asks.
#pragma once

#include <string>

namespace atl {

class Communicator;

// The outcome of an operation: success, or one of the standard's error classes.
// The sentence lies in thread-local memory until the thread's next fault.
class [[nodiscard]] Fault {
 public:
  constexpr Fault() = default;  // success

  explicit constexpr operator bool() const { return error_class_ != 0; }
  constexpr int error_class() const {
    return error_class_;
  }  // an MPI_ERR_ value, or what a callback returned

  // The argument, its value and what is wrong with it.
  const std::string& text() const;

  // Whose error handler is to run when no argument of the call tells; may be null.
  Communicator* communicator() const;

 private:
  friend Fault fail(int, const char*, ...);
  friend Fault fail_with(int, std::string, Communicator*);
  explicit constexpr Fault(int error_class) : error_class_(error_class) {}

  int error_class_ = 0;
};

// Makes a Fault. The sentence leaves out the call's name, which the API adds.
[[gnu::cold, gnu::format(printf, 2, 3)]] Fault fail(int error_class, const char* format, ...);
[[gnu::cold]] Fault fail_with(int error_class, std::string text, Communicator* communicator);

}  // namespace atl
