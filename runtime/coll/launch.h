// The three ways to call a collective: blocking, non-blocking and persistent.
//
// A Call is a struct with the arguments of the blocking form:
//   Call(arguments of the MPI function...)
//   Communicator& comm;
//   Fault check() const;   before anything is begun
//   its algorithms, as algorithm.h says
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "runtime/coll/algorithm.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/request.h"

namespace atl::coll {

// Until the task of a blocking call is done.
void wait_for(Task& task, Operation& operation);

template <class Call>
Fault run(const Call& call) {
  if (Fault fault = call.check()) return fault;
  if constexpr (requires { Call::algorithms(); }) {
    Channel* channel = channel_of(call.comm);
    if (auto* at_once = channel == nullptr ? nullptr : way_at_once(call, *channel)) {
      ++call.comm.collectives;
      return at_once(call, Turn(*channel));
    }
  }
  Operation operation(call.comm);
  Task task = task_of(call, operation);
  task.resume();
  if (!task.done()) wait_for(task, operation);
  return operation.fault();
}

// The operation behind a request.
class Started : public p2p::Restartable {
 public:
  Started(Communicator& comm, bool ordered) : operation_(comm) {
    operation_.ordered = ordered;
    operation_.ran_on = look;
    operation_.owner = this;
  }
  void start(p2p::Request& request) override;
  Awaited awaited() const override { return operation_.awaited(); }

 private:
  virtual Task task(Operation& operation) const = 0;
  static void look(void* self);

  Operation operation_;  // of a persistent request: each start has the same tag
  Task task_;
  p2p::Request* request_ = nullptr;
};

template <class Call>
class StartedCall final : public Started {
 public:
  StartedCall(const Call& call, bool ordered) : Started(call.comm, ordered), call_(call) {}

 private:
  Task task(Operation& operation) const override { return task_of(call_, operation); }

  Call call_;
};

// Whether all members make the same persistent operation; they do so in the same order
// (MPI 5.0, 6.13).
template <class Call>
struct Agreement {
  Communicator& comm;
  const Call& call;

  Fault check() const { return {}; }
  Task run(Operation& operation) const {
    Turn turn(*channel_of(comm));
    auto come = [&turn](shm::Look) { return turn.come(); };
    co_await operation.until(come);
    if (turn.channel().none()) co_return;
    co_await show(operation, std::move(turn), another_way(call_of(call), Way::persistent));
  }
};

// Makes the request of a collective that is not started yet.
p2p::Request& make_request(std::unique_ptr<Started> started, Communicator& comm);

// --- what functions.api names ---

template <class Call, class... Arguments>
Fault blocking(Arguments&&... arguments) {
  return run(Call(std::forward<Arguments>(arguments)...));
}

// The Call of the first `Count` arguments.
template <class Call, std::size_t... Index, class Arguments>
Call call_of(std::index_sequence<Index...>, const Arguments& arguments) {
  return Call(std::get<Index>(arguments)...);
}

// The last argument is the request.
template <class Call, class... Arguments>
Fault nonblocking(Arguments&&... arguments) {
  const auto all = std::forward_as_tuple(arguments...);
  constexpr std::size_t kCall = sizeof...(Arguments) - 1;
  const Call call = call_of<Call>(std::make_index_sequence<kCall>(), all);
  if (Fault fault = call.check()) return fault;
  p2p::Request& request = make_request(std::make_unique<StartedCall<Call>>(call, true), call.comm);
  *std::get<kCall>(all) = p2p::handle_of(request);
  request.extras->restartable->start(request);
  return {};
}

// The last two are the info, whose hints mean nothing here, and the request.
template <class Call, class... Arguments>
Fault persistent(Arguments&&... arguments) {
  const auto all = std::forward_as_tuple(arguments...);
  constexpr std::size_t kCall = sizeof...(Arguments) - 2;
  const Call call = call_of<Call>(std::make_index_sequence<kCall>(), all);
  if (Fault fault = call.check()) return fault;
  if constexpr (requires { Call::algorithms(); }) {
    if (channel_of(call.comm) != nullptr) {
      if (Fault fault = run(Agreement<Call>{call.comm, call})) return fault;
    }
  }
  p2p::Request& request = make_request(std::make_unique<StartedCall<Call>>(call, false), call.comm);
  request.persistent = true;
  *std::get<kCall + 1>(all) = p2p::handle_of(request);
  return {};
}

}  // namespace atl::coll
