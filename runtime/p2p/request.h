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
#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"
#include "runtime/core/wait_description.h"
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

// State of an operation.
enum class Stage : std::uint8_t {
  inactive,     // a persistent request that is not started
  queued,       // send: waits for ring space or a rendezvous record; perhaps partly sent
  rts_sent,     // send: waits for the receiver's CTS or acknowledgement
  single_copy,  // both sides copy fragments
  pipelined,    // fragments go through the ring
  posted,       // receive: waits for its message
  active,       // other kinds of request
  complete,
};

// Completion callbacks of MPI_Grequest_start.
struct Generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra_state;
};

class AttachedBuffer;
struct Request;

// Shared by the requests of a call that waits for several; each updates it when it completes.
struct CompletionCounter {
  std::size_t incomplete = 0;                    // requests that point here
  std::vector<std::uint32_t>* places = nullptr;  // receives the place of each that completes
};

// The operation behind a request of another layer of the runtime; destroyed with the request.
struct Restartable {
  virtual ~Restartable() = default;
  virtual void start(Request& request) = 0;  // MPI_Start
  virtual WaitDescription wait_description() const = 0;
};

// State that few requests need.
struct Extras {
  std::optional<Generalized> generalized;
  AttachedBuffer* from_buffer = nullptr;  // the attached buffer that owns this send
  std::unique_ptr<std::byte[]> owned;     // memory that is freed with the request
  std::string why;                        // text of Request::error
  // Detached requests: called with the argument on completion, from within progress, so it may
  // start operations but must not block.
  void (*after)(void* argument, const Request&) = nullptr;
  void* after_argument = nullptr;
  std::unique_ptr<Restartable> restartable;  // a collective operation of the program
  // State of a transpose that passes through the ring in fragments (datatype/banded.h).
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
  bool cancelled = false;   // by a successful MPI_Cancel
  bool shared = false;      // the one complete request of all sends that completed in their call
  bool keeps_type = false;  // holds a reference to `type`, which the program may free meanwhile
  int error_class = MPI_SUCCESS;  // with which the request completed

  // Arguments of the call. A send only reads `buffer`.
  void* buffer = nullptr;
  std::size_t count = 0;
  const Datatype* type = nullptr;
  datatype::Signature signature = 0;  // send: type signature of the data
  Communicator* communicator = nullptr;
  std::int32_t peer = MPI_PROC_NULL;  // rank in the communicator, or MPI_ANY_SOURCE
  std::int32_t tag = 0;
  shm::ContextId context = 0;
  std::uint32_t peer_world = 0;  // rank in the job: sends, and receives once matched

  // The result, for the status.
  std::int32_t source = MPI_ANY_SOURCE;
  std::int32_t received_tag = MPI_ANY_TAG;
  std::uint64_t bytes = 0;  // send: of the message; receive: received

  // State of an active operation.
  std::uint64_t progress = 0;    // through the ring: bytes sent or received
  std::uint32_t rendezvous = 0;  // index of the RendezvousRecord, at the sender
  std::uint64_t post_order = 0;  // receives: place in the posting order
  Link link;                     // in the queue that belongs to its stage
  TagLink tagged;                // receives, in a long queue: links those with the same tag

  Request* other = nullptr;  // receive of MPI_Isendrecv: its send, which is freed with it
  // Of the call that waits for several requests including this one; null: there is none.
  CompletionCounter* counter = nullptr;
  std::uint32_t place;  // with a counter: index in the array of that call
  std::unique_ptr<Extras> extras;

  // Sets the type and holds a reference to it if it is derived.
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
  // A receive that, once complete, needs only its status set and itself freed.
  bool plain_receive() const {
    return kind == RequestKind::receive && !persistent && !cancelled &&
           error_class == MPI_SUCCESS && other == nullptr && extras == nullptr;
  }
  std::uint64_t capacity() const { return count * type->size(); }  // bytes

  Extras& extra() {
    if (extras == nullptr) extras = std::make_unique<Extras>();
    return *extras;
  }
  [[gnu::cold]] void fail(const Error& error) {
    error_class = error.error_class();
    extra().why = error.text();
  }
  [[gnu::cold]] Error stored_error() const {
    return atl::make_error_for(error_class, extras->why, communicator);
  }
  // The error with which the request completed.
  Error error() const { return error_class == MPI_SUCCESS ? Error() : stored_error(); }
};

// Reports the request's place to the call that waits for it among several: it is complete, or
// another call waits for it now.
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

// Makes a request for communication, which holds a reference to the communicator.
inline Request& make_request(RequestKind kind, Communicator& communicator) {
  Request& request = requests.create();
  request.kind = kind;
  request.communicator = &communicator;
  ++communicator.references;
  return request;
}

// The shared request of sends that completed in their call: complete, never freed, without a
// status.
Request& done_at_once();

// Frees the request, which must not be in any queue.
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
