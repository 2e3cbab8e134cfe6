// Requests: everything that MPI_Wait and MPI_Test can complete.
#pragma once

#include <mpi.h>

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "datatype/banded.h"
#include "datatype/datatype.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/awaited.h"
#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"
#include "runtime/p2p/tag_queue.h"

namespace atl::p2p {

using datatype::Datatype;

enum class SendMode : std::uint8_t { standard, buffered, synchronous, ready };

enum class RequestKind : std::uint8_t {
  send,
  receive,
  generalized,
  flush,
  collective,  // made and completed by another layer of the runtime
};

// How far an active operation is.
enum class Stage : std::uint8_t {
  inactive,   // a persistent request that was not started
  queued,     // send: waits for room in the ring or for a transfer, perhaps half sent
  offered,    // send: the receiver has not answered
  copying,    // both sides copy pieces
  streaming,  // pieces come or go through the ring
  posted,     // receive: waits for its message
  active,     // other kinds
  complete,
};

// Completion callbacks of MPI_Grequest_start.
struct Generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra_state;
};

class SendBuffer;
struct Request;

// What a call that waits for several requests hears when one of them completes.
struct CompletionCounter {
  std::size_t incomplete = 0;                    // of the requests that point here
  std::vector<std::uint32_t>* places = nullptr;  // gets the place of each that completes
};

// The work behind a request of another layer of the runtime; ends with the request.
struct Restartable {
  virtual ~Restartable() = default;
  virtual void start(Request& request) = 0;  // MPI_Start
  virtual Awaited awaited() const = 0;
};

// What few requests have.
struct Extras {
  std::optional<Generalized> generalized;
  SendBuffer* from_buffer = nullptr;   // a send out of an attached buffer, which owns it
  std::unique_ptr<std::byte[]> owned;  // memory that ends with the request
  std::string why;                     // sentence of Request::error
  // Detached: called with the argument when the request is complete, in the midst
  // of progress, so it may start operations but not wait.
  void (*after)(void* argument, const Request&) = nullptr;
  void* after_argument = nullptr;
  std::unique_ptr<Restartable> restartable;  // a collective operation of the program
  // A transpose on its way through the ring.
  std::optional<datatype::BandedPack> packing;
  std::optional<datatype::BandedUnpack> unpacking;
};

struct Request {
  static constexpr HandleKind kHandleKind = HandleKind::request;

  Request() {}  // not `= default`: that would clear the whole object first, at each message

  RequestKind kind = RequestKind::send;
  Stage stage = Stage::inactive;
  SendMode mode = SendMode::standard;
  bool persistent = false;
  bool detached = false;    // freed by the program; destroyed when it completes
  bool cancelled = false;   // successfully
  bool shared = false;      // the one complete request of all sends that were done at once
  bool keeps_type = false;  // a reference to `type`, which the program may free meanwhile
  int error = MPI_SUCCESS;  // error class it completed with

  // What was asked for. `buffer` is const data in a send.
  void* buffer = nullptr;
  std::size_t count = 0;
  const Datatype* type = nullptr;
  datatype::Signature signature = 0;  // send: what the message says it holds
  Communicator* communicator = nullptr;
  std::int32_t peer = MPI_PROC_NULL;  // rank in the communicator, or MPI_ANY_SOURCE
  std::int32_t tag = 0;
  shm::ContextId context = 0;
  std::uint32_t peer_world = 0;  // sends, and receives once matched

  // What came: for the status.
  std::int32_t source = MPI_ANY_SOURCE;
  std::int32_t received_tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;  // send: of the message; receive: received

  // Under way.
  std::uint64_t progress = 0;    // through the ring: bytes sent or received
  std::uint32_t transfer = 0;    // index of the Transfer, at the sender
  std::uint64_t post_order = 0;  // receives: which was begun first
  Link link;                     // in the queue that its stage says
  TagLink tagged;                // receives, in a long queue: among those with the same tag

  Request* other = nullptr;  // receive of MPI_Isendrecv: its send, which ends with it
  // Null: no call waits for it among several.
  CompletionCounter* counter = nullptr;
  std::uint32_t place;  // with a counter: in the array of that call
  std::unique_ptr<Extras> extras;

  // The type of the data, kept alive by the request.
  void use_type(const Datatype& used) {
    type = &used;
    keeps_type = used.derived();
    if (__builtin_expect(keeps_type, 0)) intrusive_ptr_add_ref(&used);
  }

  [[gnu::noinline]] void drop_type() {
    const datatype::Reference last(type, false);  // takes over what use_type() added
  }

  bool active() const { return stage != Stage::inactive && !complete(); }
  bool complete() const {
    return stage == Stage::complete && (other == nullptr || other->stage == Stage::complete);
  }
  // A receive of which nothing is left but its status, when it is complete.
  bool plain_receive() const {
    return kind == RequestKind::receive && !persistent && !cancelled && error == MPI_SUCCESS &&
           other == nullptr && extras == nullptr;
  }
  std::uint64_t capacity() const { return count * type->size(); }  // bytes

  Extras& extra() {
    if (extras == nullptr) extras = std::make_unique<Extras>();
    return *extras;
  }
  [[gnu::cold]] void fail_with(const Fault& fault) {
    error = fault.error_class();
    extra().why = fault.text();
  }
  [[gnu::cold]] Fault make_fault() const {
    return atl::fail_with(error, extras->why, communicator);
  }
  // The error it completed with.
  Fault fault() const { return error == MPI_SUCCESS ? Fault() : make_fault(); }
};

// The call that waits for it among several is to look at it: it is complete, or another call waits
// for it now.
inline void leave_counter(Request& request) {
  CompletionCounter& counter = *std::exchange(request.counter, nullptr);
  ATL_DCHECK(counter.incomplete != 0);
  --counter.incomplete;
  if (counter.places != nullptr) counter.places->push_back(request.place);
}

using RequestList =
    boost::intrusive::list<Request, boost::intrusive::member_hook<Request, Link, &Request::link>,
                           boost::intrusive::constant_time_size<false>>;

inline HandleTable<Request> requests;

inline Request* find_request(MPI_Request handle) {
  return requests.find(reinterpret_cast<std::uintptr_t>(handle));
}
inline MPI_Request handle_of(Request& request) {
  return reinterpret_cast<MPI_Request>(HandleTable<Request>::handle(request));
}

// A request for communication; keeps the communicator alive.
inline Request& make_request(RequestKind kind, Communicator& communicator) {
  Request& request = requests.create();
  request.kind = kind;
  request.communicator = &communicator;
  ++communicator.references;
  return request;
}

// A send that was done at once: complete, never freed, without a status.
Request& done_at_once();

// The request ends; it must not be in any queue.
inline void free_request(Request& request) {
  if (request.shared) return;
  ATL_DCHECK(!request.link.is_linked());
  Communicator* communicator = request.communicator;
  if (__builtin_expect(request.keeps_type, 0)) request.drop_type();
  requests.destroy(request);
  if (communicator != nullptr) release(*communicator);
}

}  // namespace atl::p2p

namespace atl {

template <>
inline MPI_Request handle_from_int(int number) {
  return reinterpret_cast<MPI_Request>(p2p::requests.from_int(number));
}

}  // namespace atl
