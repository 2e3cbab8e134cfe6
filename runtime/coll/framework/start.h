// The three ways to call a collective: blocking, non-blocking and persistent.
//
// A Call is a struct with the arguments of the blocking form:
//   Call(arguments of the MPI function...)
//   Communicator& comm;
//   Error check() const;       called before the operation starts
//   void keep(KeptNumbers&);   copies significant argument arrays; optional
//   a table of algorithms or run(), see algorithm.h
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "runtime/coll/framework/algorithm.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/request.h"

namespace atl::coll {

// Whether a mismatch of calls is known on `comm`.
bool calls_mismatch(Communicator& comm);

// Blocks until the task of a blocking call is done or dropped.
void wait_for(Task& task, Operation& operation);

template <class Call>
Error run(const Call& call) {
  if (Error error = call.check()) return error;
  if constexpr (HasTable<Call>) {
    Channel* channel = channel_of(call.comm);
    if (auto* blocking = channel == nullptr ? nullptr : blocking_algorithm(call, *channel)) {
      ++call.comm.collectives;
      return blocking(call, Ticket(*channel));
    }
  }
  Operation operation(call.comm);
  Task task = task_of(call, operation);
  task.resume();
  wait_for(task, operation);
  return operation.error();
}

// The operation behind a request.
class Started : public p2p::Restartable {
 public:
  explicit Started(Communicator& comm) : operation_(comm) {
    operation_.ran_on = run_on;
    operation_.owner = this;
  }
  // Makes the operation persistent. Its signature is in `round` if there is a collective buffer.
  void persists(Channel* channel, Round round) {
    operation_.ordered = false;
    if (channel != nullptr && !channel->none()) operation_.watches(*channel, round);
  }
  void start(p2p::Request& request) override;
  WaitDescription wait_description() const override { return operation_.wait_description(); }

 private:
  virtual Task task(Operation& operation) const = 0;
  static void run_on(void* self);

  Operation operation_;  // of a persistent request: each start has the same tag
  Task task_;
  p2p::Request* request_ = nullptr;
};

template <class Call>
class StartedCall final : public Started {
 public:
  explicit StartedCall(const Call& call) : Started(call.comm), call_(call) {
    if constexpr (requires { call_.keep(kept_); }) call_.keep(kept_);
  }

 private:
  Task task(Operation& operation) const override { return task_of(call_, operation); }

  KeptNumbers kept_;
  Call call_;
};

// Compares the signatures of a persistent operation at its initialization, which is in the same
// order on all members (MPI 5.0, 6.13). Sets `round` to the round that it uses.
template <class Call>
Task agree_at_init(const Call& call, Operation& operation, Ticket ticket, Round& round) {
  co_await operation.until(ticket);
  Channel& channel = ticket.channel();
  if (channel.none()) co_return;
  round = channel.order.next();
  operation.watches(channel, round);
  if (operation.fail(channel.reported(round))) co_return;
  co_await by_messages(call, operation, std::move(ticket), Way::persistent);
}
template <class Call>
Error agree_at_init(const Call& call, Channel& channel, Round& round) {
  Operation operation(call.comm);
  Task task = agree_at_init(call, operation, Ticket(channel), round);
  task.resume();
  if (!task.done()) wait_for(task, operation);
  return operation.error();
}

// Makes the inactive request of a collective.
p2p::Request& make_request(std::unique_ptr<Started> started, Communicator& comm);

// --- Named in functions.api ---

template <class Call, class... Arguments>
Error blocking(Arguments&&... arguments) {
  return run(Call(std::forward<Arguments>(arguments)...));
}

// Constructs the Call from the arguments at `Index`.
template <class Call, std::size_t... Index, class Arguments>
Call make_call(std::index_sequence<Index...>, const Arguments& arguments) {
  return Call(std::get<Index>(arguments)...);
}

// The last argument is the request.
template <class Call, class... Arguments>
Error nonblocking(Arguments&&... arguments) {
  const auto all = std::forward_as_tuple(arguments...);
  constexpr std::size_t kCall = sizeof...(Arguments) - 1;
  const Call call = make_call<Call>(std::make_index_sequence<kCall>(), all);
  if (Error error = call.check()) return error;
  p2p::Request& request = make_request(std::make_unique<StartedCall<Call>>(call), call.comm);
  *std::get<kCall>(all) = p2p::handle_of(request);
  request.extras->restartable->start(request);
  return {};
}

// The last two arguments are the info, which has no hints for collectives, and the request.
template <class Call, class... Arguments>
Error persistent(Arguments&&... arguments) {
  const auto all = std::forward_as_tuple(arguments...);
  constexpr std::size_t kCall = sizeof...(Arguments) - 2;
  const Call call = make_call<Call>(std::make_index_sequence<kCall>(), all);
  if (Error error = call.check()) return error;
  Channel* channel = channel_of(call.comm);
  Round round = 0;
  if (channel != nullptr) {
    if (Error error = agree_at_init(call, *channel, round)) return error;
  }
  auto started = std::make_unique<StartedCall<Call>>(call);
  started->persists(channel, round);
  p2p::Request& request = make_request(std::move(started), call.comm);
  request.persistent = true;
  *std::get<kCall + 1>(all) = p2p::handle_of(request);
  return {};
}

}  // namespace atl::coll
