// Letters: what processes tell each other that make a communicator together. A
// letter carries what the program calls the construction, its tag or string, in
// full: several may be under way at the same time, in several threads.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "runtime/comm/communicator.h"
#include "runtime/construct/exchange.h"
#include "runtime/core/fault.h"

namespace atl::construct {

struct Letter {
  std::string name;  // of the construction
  std::string body;
};

Fault send_letter(Communicator& comm, int to, const Letter& letter);

// Bodies of one struct, which may be followed by text.
template <class T>
std::string bytes_of(const T& value) {
  static_assert(std::has_unique_object_representations_v<T>, "no byte is left undefined");
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T from_bytes(const std::string& bytes) {
  ATL_CHECK(bytes.size() >= sizeof(T), "a message that makes a communicator has only %zu bytes",
            bytes.size());
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// The next one from there with that name.
Fault receive_letter(Communicator& comm, int from, std::string_view name, Letter& letter);

// The same; but where neither process has other threads, the next one, whatever its
// name is: its sender waits in another construction than this one.
Fault receive_letter_of_call(Communicator& comm, int from, std::string_view name, Letter& letter);

}  // namespace atl::construct
