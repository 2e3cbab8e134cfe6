#include "runtime/env/leftovers.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/comm/communicator.h"
#include "runtime/comm/group.h"
#include "runtime/comm/window.h"
#include "runtime/core/process.h"
#include "runtime/objects/info.h"
#include "runtime/p2p/engine.h"
#include "runtime/type/type_handles.h"

namespace atl::env {
namespace {

// The leftovers of one kind, with a line of text for each.
struct Kind {
  const char* one;
  const char* several;
  std::vector<std::string> items = {};
};

std::string from_rank(int rank) {
  return rank == MPI_ANY_SOURCE ? "any source" : "rank " + std::to_string(rank);
}

std::string with_tag(int tag) {
  return tag == MPI_ANY_TAG ? "any tag" : "tag " + std::to_string(tag);
}

Kind messages() {
  Kind kind{"message not received", "messages not received"};
  const auto& contexts = p2p::engine->contexts;
  contexts.for_each_unexpected([&](shm::ContextId context, const p2p::Unexpected& message) {
    if ((context & Communicator::kCollective) != 0) return;  // not the program's
    const Communicator* comm = communicators.of_context(context);
    kind.items.push_back("message from " + from_rank(message.source) + ", " +
                         with_tag(message.tag) + ", " + std::to_string(message.bytes) + " bytes, " +
                         (comm == nullptr ? "a communicator that is freed" : comm->label()));
  });
  return kind;
}

const char* state_of(const p2p::Request& request) {
  if (request.complete()) return "complete, not waited for";
  return request.active() ? "not complete" : "not freed";
}

std::string describe(const p2p::Request& request) {
  std::string text = request.kind == p2p::RequestKind::send      ? "send to "
                     : request.kind == p2p::RequestKind::receive ? "receive from "
                                                                 : "other request";
  if (request.kind == p2p::RequestKind::send || request.kind == p2p::RequestKind::receive) {
    text += from_rank(request.peer) + ", " + with_tag(request.tag);
  }
  if (request.communicator != nullptr) text += ", " + request.communicator->label();
  return text + ": " + state_of(request);
}

Kind requests() {
  Kind kind{"request not completed or freed", "requests not completed or freed"};
  p2p::requests.for_each([&](const p2p::Request& request) {
    if (!request.shared && !request.detached) kind.items.push_back(describe(request));
  });
  return kind;
}

Kind made_communicators() {
  Kind kind{"communicator not freed", "communicators not freed"};
  communicators.for_each_made([&](const Communicator& one) {
    if (one.freed || one.is_part) return;
    kind.items.push_back(one.label() + " of size " + std::to_string(one.size()));
  });
  return kind;
}

Kind made_windows() {
  Kind kind{"window not freed", "windows not freed"};
  windows.for_each([&](Window& window) {
    kind.items.push_back(window.name().empty() ? "window" : "window " + window.name());
  });
  return kind;
}

Kind made_groups() {
  Kind kind{"group not freed", "groups not freed"};
  groups.for_each([&](const Group& group) {
    kind.items.push_back("group of size " + std::to_string(group.members.size()));
  });
  return kind;
}

Kind made_datatypes() {
  Kind kind{"datatype not freed", "datatypes not freed"};
  datatypes.for_each_made(
      [&](const TypeObject& object) { kind.items.push_back("datatype: " + label(*object.type)); });
  return kind;
}

Kind made_infos() {
  Kind kind{"info object not freed", "info objects not freed"};
  kind.items.resize(static_cast<std::size_t>(infos.count()), "info object");
  return kind;
}

std::string counted(const Kind& kind) {
  return std::to_string(kind.items.size()) + " " +
         (kind.items.size() == 1 ? kind.one : kind.several);
}

}  // namespace

void report_leftovers() {
  const char* wanted = ::secure_getenv("ATOLL_LEFTOVERS");
  const std::string_view how = wanted == nullptr ? "" : wanted;
  if (how != "count" && how != "list") return;
  while (p2p::engine->poll(shm::PollMode::complete)) {
  }
  std::string summary, list;
  for (const Kind& kind : {messages(), requests(), made_communicators(), made_windows(),
                           made_groups(), made_datatypes(), made_infos()}) {
    if (kind.items.empty()) continue;
    summary += (summary.empty() ? "" : ", ") + counted(kind);
    for (const std::string& item : kind.items) {
      list += "rank " + std::to_string(process.rank) + ":   " + item + "\n";
    }
  }
  if (summary.empty()) return;
  std::fprintf(stderr, "rank %u: left when MPI ended: %s\n%s", process.rank, summary.c_str(),
               how == "list" ? list.c_str() : "");
}

}  // namespace atl::env
