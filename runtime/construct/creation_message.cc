#include "runtime/construct/creation_message.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "datatype/predefined.h"
#include "runtime/core/process.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/receive.h"

namespace atl::construct {
namespace {

constexpr std::size_t kLongest = 4096;  // bytes of a message with its heading

// The start of a message in transit.
struct Heading {
  std::uint32_t name_bytes;
  std::uint32_t threaded;  // its sender may send other messages meanwhile
};

// The sender of a message: one member of one communicator.
struct Sender {
  shm::ContextId context;
  int rank;
  bool operator==(const Sender&) const = default;
};

struct Received {
  Sender sender;
  CreationMessage message;
  bool threaded;
};

// A posted receive: one for each sender, on behalf of all threads that wait for that sender.
struct PendingReceive {
  Sender sender;
  bool done = false;
  std::byte data[kLongest];
};

// Guarded by the process lock.
std::list<Received> received;  // for each sender, in order of arrival
std::list<PendingReceive> pending;

void on_receive(void* argument, const p2p::Request& request) {
  auto* receive = static_cast<PendingReceive*>(argument);
  const std::string text(reinterpret_cast<const char*>(receive->data), request.bytes);
  const auto heading = from_bytes<Heading>(text);
  ATL_CHECK(heading.name_bytes <= text.size() - sizeof heading,
            "a message that makes a communicator names %u bytes of %zu", heading.name_bytes,
            text.size());
  const std::size_t body = sizeof heading + heading.name_bytes;
  received.push_back({receive->sender,
                      {text.substr(sizeof heading, heading.name_bytes), text.substr(body)},
                      heading.threaded != 0});
  std::erase_if(pending, [receive](const PendingReceive& one) { return &one == receive; });
}

bool is_pending(const Sender& sender) {
  for (const PendingReceive& one : pending) {
    if (one.sender == sender) return true;
  }
  return false;
}

void post_receive(Communicator& comm, const Sender& sender) {
  PendingReceive& one = pending.emplace_back();
  one.sender = sender;
  p2p::receive_then(
      {one.data, kLongest, datatype::bytes(), sender.rank, kCreationTag, sender.context}, comm,
      on_receive, &one);
}

template <class Wanted>
std::list<Received>::iterator find(const Sender& sender, Wanted wanted) {
  auto found = received.begin();
  while (found != received.end() && !(found->sender == sender && wanted(*found))) ++found;
  return found;
}

template <class Wanted>
Error receive_wanted(Communicator& comm, int from, Wanted wanted, CreationMessage& message) {
  const Sender sender{comm.collective_context(), from};
  const auto is_here = [&] { return find(sender, wanted) != received.end(); };
  while (!is_here()) {
    if (!is_pending(sender)) post_receive(comm, sender);
    // Another thread's receive may have received the message, or its end lets this thread post
    // the next.
    p2p::block_until([&] { return is_here() || !is_pending(sender); },
                     {.communicator = &comm, .peer = from, .kind = shm::WaitKind::collective});
  }
  const auto found = find(sender, wanted);
  message = std::move(found->message);
  received.erase(found);
  return {};
}

}  // namespace

Error send_creation_message(Communicator& comm, int to, const CreationMessage& message) {
  const Heading heading{static_cast<std::uint32_t>(message.name.size()), process.threaded};
  std::string text = bytes_of(heading) + message.name + message.body;
  return send({text.data(), text.size()}, to, kCreationTag, comm);
}

Error receive_creation_message(Communicator& comm, int from, std::string_view name,
                               CreationMessage& message) {
  return receive_wanted(
      comm, from, [&](const Received& one) { return one.message.name == name; }, message);
}

Error receive_creation_message_of_call(Communicator& comm, int from, std::string_view name,
                                       CreationMessage& message) {
  return receive_wanted(
      comm, from,
      [&](const Received& one) {
        return one.message.name == name || (!one.threaded && !process.threaded);
      },
      message);
}

}  // namespace atl::construct
