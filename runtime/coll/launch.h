// The three ways to call a collective: blocking, non-blocking and persistent.
//
// A Call is a struct with the arguments of the blocking form:
//   Call(arguments of the MPI function...)
//   Communicator& comm;
//   Fault check() const;   before anything is begun
//   void keep(KeptNumbers&);   copies argument arrays that count here, where it has some
//   its algorithms, as algorithm.h says
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "runtime/coll/algorithm.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/request.h"

namespace atl::coll {

// It is known that its members have called what does not match.
bool out_of_step(Communicator& comm);

// Until the task of a blocking call is done.
void wait_for(Task& task, Operation& operation);

template <class Call>
Fault run(const Call& call) {
  if (Fault fault = call.check()) return fault;
  if constexpr (HasTable<Call>) {
    Channel* channel = channel_of(call.comm);
    if (auto* at_once = channel == nullptr ? nullptr : way_at_once(call, *channel)) {
      ++call.comm.collectives;
      return at_once(call, Turn(*channel));
    }
  }
  Operation operation(call.comm);
  Task task = task_of(call, operation);
  task.resume();
  wait_for(task, operation);
  return operation.fault();
}

// The operation behind a request.
class Started : public p2p::Restartable {
 public:
  explicit Started(Communicator& comm) : operation_(comm) {
    operation_.ran_on = look;
    operation_.owner = this;
  }
  // Persistent, and shown in this step where there is a channel for that.
  void persists(Channel* channel, Step step) {
    operation_.ordered = false;
    if (channel != nullptr && !channel->none()) operation_.watches(*channel, step);
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
  explicit StartedCall(const Call& call) : Started(call.comm), call_(call) {
    if constexpr (requires { call_.keep(kept_); }) call_.keep(kept_);
  }

 private:
  Task task(Operation& operation) const override { return task_of(call_, operation); }

  KeptNumbers kept_;
  Call call_;
};

// Whether all members make the same persistent operation; they do so in the same order
// (MPI 5.0, 6.13). It takes this step.
template <class Call>
Task agree_at_init(const Call& call, Operation& operation, Turn turn, Step& step) {
  auto come = [&turn](shm::Look) { return turn.come(); };
  co_await operation.until(come);
  Channel& channel = turn.channel();
  if (channel.none()) co_return;
  step = channel.next();
  operation.watches(channel, step);
  if (operation.fail(channel.reported(step))) co_return;
  co_await by_messages(call, operation, std::move(turn), Way::persistent);
}
template <class Call>
Fault agree_at_init(const Call& call, Channel& channel, Step& step) {
  Operation operation(call.comm);
  Task task = agree_at_init(call, operation, Turn(channel), step);
  task.resume();
  if (!task.done()) wait_for(task, operation);
  return operation.fault();
}

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
  p2p::Request& request = make_request(std::make_unique<StartedCall<Call>>(call), call.comm);
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
  Channel* channel = channel_of(call.comm);
  Step step = 0;
  if (channel != nullptr) {
    if (Fault fault = agree_at_init(call, *channel, step)) return fault;
  }
  auto started = std::make_unique<StartedCall<Call>>(call);
  started->persists(channel, step);
  p2p::Request& request = make_request(std::move(started), call.comm);
  request.persistent = true;
  *std::get<kCall + 1>(all) = p2p::handle_of(request);
  return {};
}

}  // namespace atl::coll
