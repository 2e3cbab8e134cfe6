#include "runtime/p2p/probe.h"

#include <memory>
#include <utility>

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/completion.h"
#include "runtime/p2p/engine.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/status.h"

namespace atl::p2p {
namespace {

// A message that MPI_Mprobe or MPI_Improbe took out of its queue.
struct Taken {
  static constexpr HandleKind kHandleKind = HandleKind::message;

  std::unique_ptr<Unexpected> message;
  Communicator* communicator;
};

HandleTable<Taken> messages;

Unexpected* find_matched(int source, int tag, Communicator& comm) {
  return engine->find_message(engine->contexts.get(comm.context()), source, tag);
}

void set_status(MPI_Status* status, const Unexpected& message) {
  p2p::set_status(status, message.source, message.tag, message.bytes);
}

// Takes the message out of the unexpected queue and makes its handle. False when its sender
// cancelled it.
bool take(Unexpected& found, Communicator& comm, MPI_Message* message) {
  auto taken = engine->contexts.get(comm.context()).take(found);
  if (!engine->accept(*taken)) return false;
  ++comm.references;
  Taken& made = messages.create(Taken{std::move(taken), &comm});
  *message = reinterpret_cast<MPI_Message>(HandleTable<Taken>::handle(made));
  return true;
}

// Takes the unexpected message that matches, if there is one.
bool try_mprobe(int source, int tag, Communicator& comm, MPI_Message* message, MPI_Status* status) {
  while (Unexpected* found = find_matched(source, tag, comm)) {
    MPI_Status seen;
    set_status(&seen, *found);
    if (!take(*found, comm, message)) continue;
    p2p::set_status(status, seen.MPI_SOURCE, seen.MPI_TAG, bytes_of(seen));
    return true;
  }
  return false;
}

// A probe of MPI_PROC_NULL always succeeds (MPI 5.0, 3.10).
void message_from_nobody(MPI_Message* message, MPI_Status* status) {
  *message = MPI_MESSAGE_NO_PROC;
  set_from_nobody(status);
}

WaitDescription awaited_message(int source, int tag, Communicator& comm) {
  return {.communicator = &comm, .peer = source, .tag = tag, .kind = shm::WaitKind::probe};
}

}  // namespace

Error iprobe(int source, int tag, Communicator& comm, int* flag, MPI_Status* status) {
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    set_from_nobody(status);
    return {};
  }
  engine->poll_now_and_then();
  Unexpected* message = find_matched(source, tag, comm);
  if (message == nullptr) {
    engine->poll();
    message = find_matched(source, tag, comm);
  }
  *flag = message != nullptr;
  if (message != nullptr) {
    set_status(status, *message);
  } else {
    yield_to_others();
  }
  return {};
}

Error probe(int source, int tag, Communicator& comm, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    set_from_nobody(status);
    return {};
  }
  Unexpected* message = nullptr;
  block_until([&] { return (message = find_matched(source, tag, comm)) != nullptr; },
              awaited_message(source, tag, comm));
  set_status(status, *message);
  return {};
}

Error improbe(int source, int tag, Communicator& comm, int* flag, MPI_Message* message,
              MPI_Status* status) {
  *flag = 1;
  if (source == MPI_PROC_NULL) {
    message_from_nobody(message, status);
    return {};
  }
  engine->poll();
  *flag = try_mprobe(source, tag, comm, message, status);
  if (*flag == 0) yield_to_others();
  return {};
}

Error mprobe(int source, int tag, Communicator& comm, MPI_Message* message, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    message_from_nobody(message, status);
    return {};
  }
  block_until([&] { return try_mprobe(source, tag, comm, message, status); },
              awaited_message(source, tag, comm));
  return {};
}

Error imrecv(void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
             MPI_Request* request) {
  if (*message == MPI_MESSAGE_NO_PROC) {
    *message = MPI_MESSAGE_NULL;
    return irecv(buf, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, communicators.everybody(),
                 request);
  }
  Taken* taken = messages.find(reinterpret_cast<std::uintptr_t>(*message));
  if (taken == nullptr) return bad_handle(HandleKind::message, "message", *message);
  Request& made = make_request(RequestKind::receive, *taken->communicator);
  made.buffer = buf;
  made.count = static_cast<std::size_t>(count);
  made.use_type(datatype);
  made.peer = taken->message->source;
  made.tag = taken->message->tag;
  made.context = taken->communicator->context();
  Communicator& comm = *taken->communicator;
  auto contents = std::move(taken->message);
  messages.destroy(*taken);
  release(comm);  // the request has its own reference
  *message = MPI_MESSAGE_NULL;
  *request = handle_of(made);
  engine->receive_message(made, std::move(contents));
  return {};
}

Error mrecv(void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
            MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (Error error = imrecv(buf, count, datatype, message, &request)) return error;
  return wait(&request, status);
}

}  // namespace atl::p2p

namespace atl {

template <>
MPI_Message handle_from_int(int number) {
  return reinterpret_cast<MPI_Message>(p2p::messages.from_int(number));
}

}  // namespace atl
