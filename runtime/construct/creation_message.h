// Messages between processes that create a communicator together. A message carries the program's
// name of the construction, its tag or string, in full: several constructions may be in progress
// at the same time, in several threads.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "runtime/comm/communicator.h"
#include "runtime/construct/exchange.h"
#include "runtime/core/error.h"

namespace atl::construct {

struct CreationMessage {
  std::string name;  // of the construction
  std::string body;
};

Error send_creation_message(Communicator& comm, int to, const CreationMessage& message);

// A body is one struct, which may be followed by text.
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

// Receives the next message from rank `from` with that name.
Error receive_creation_message(Communicator& comm, int from, std::string_view name,
                               CreationMessage& message);

// The same; but if neither process has other threads, the next message whatever its name is: its
// sender waits in another construction than this one.
Error receive_creation_message_of_call(Communicator& comm, int from, std::string_view name,
                                       CreationMessage& message);

}  // namespace atl::construct
