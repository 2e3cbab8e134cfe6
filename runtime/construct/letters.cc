#include "runtime/construct/letters.h"

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

constexpr std::size_t kLongest = 4096;  // bytes of a letter on its way

// What a letter begins with on its way.
struct Heading {
  std::uint32_t name_bytes;
  std::uint32_t threaded;  // its sender may send others meanwhile
};

// From whom: one member of one communicator.
struct Sender {
  shm::ContextId context;
  int rank;
  bool operator==(const Sender&) const = default;
};

struct Arrived {
  Sender sender;
  Letter letter;
  bool threaded;
};

// A receive under way: one for each sender, on behalf of all who wait for him.
struct Awaited {
  Sender sender;
  bool done = false;
  std::byte data[kLongest];
};

// Under the process lock.
std::list<Arrived> arrived;  // in order, for each sender
std::list<Awaited> awaited;

void take_in(void* argument, const p2p::Request& request) {
  auto* receive = static_cast<Awaited*>(argument);
  const std::string text(reinterpret_cast<const char*>(receive->data), request.bytes);
  const auto heading = from_bytes<Heading>(text);
  ATL_CHECK(heading.name_bytes <= text.size() - sizeof heading,
            "a message that makes a communicator names %u bytes of %zu", heading.name_bytes,
            text.size());
  const std::size_t body = sizeof heading + heading.name_bytes;
  arrived.push_back({receive->sender,
                     {text.substr(sizeof heading, heading.name_bytes), text.substr(body)},
                     heading.threaded != 0});
  std::erase_if(awaited, [receive](const Awaited& one) { return &one == receive; });
}

bool is_awaited(const Sender& sender) {
  for (const Awaited& one : awaited) {
    if (one.sender == sender) return true;
  }
  return false;
}

void await(Communicator& comm, const Sender& sender) {
  Awaited& one = awaited.emplace_back();
  one.sender = sender;
  p2p::receive_then(
      {one.data, kLongest, datatype::bytes(), sender.rank, kLetterTag, sender.context}, comm,
      take_in, &one);
}

template <class Wanted>
std::list<Arrived>::iterator find(const Sender& sender, Wanted wanted) {
  auto found = arrived.begin();
  while (found != arrived.end() && !(found->sender == sender && wanted(*found))) ++found;
  return found;
}

template <class Wanted>
Fault receive_wanted(Communicator& comm, int from, Wanted wanted, Letter& letter) {
  const Sender sender{comm.collective_context(), from};
  const auto is_here = [&] { return find(sender, wanted) != arrived.end(); };
  while (!is_here()) {
    if (!is_awaited(sender)) await(comm, sender);
    // Another thread's receive may have taken it in, or left this one to post the next.
    p2p::block_until([&] { return is_here() || !is_awaited(sender); },
                     {.communicator = &comm, .peer = from, .kind = shm::WaitKind::collective});
  }
  const auto found = find(sender, wanted);
  letter = std::move(found->letter);
  arrived.erase(found);
  return {};
}

}  // namespace

Fault send_letter(Communicator& comm, int to, const Letter& letter) {
  const Heading heading{static_cast<std::uint32_t>(letter.name.size()), process.threaded};
  std::string text = bytes_of(heading) + letter.name + letter.body;
  return send({text.data(), text.size()}, to, kLetterTag, comm);
}

Fault receive_letter(Communicator& comm, int from, std::string_view name, Letter& letter) {
  return receive_wanted(
      comm, from, [&](const Arrived& one) { return one.letter.name == name; }, letter);
}

Fault receive_letter_of_call(Communicator& comm, int from, std::string_view name, Letter& letter) {
  return receive_wanted(
      comm, from,
      [&](const Arrived& one) {
        return one.letter.name == name || (!one.threaded && !process.threaded);
      },
      letter);
}

}  // namespace atl::construct
