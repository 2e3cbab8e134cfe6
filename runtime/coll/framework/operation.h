// One collective operation under way in this process: the messages that it has begun and the task
// that waits for them.
#pragma once

#include <coroutine>
#include <string>

#include "runtime/coll/framework/data.h"
#include "runtime/coll/framework/task.h"
#include "runtime/comm/communicator.h"
#include "runtime/p2p/blocking.h"

namespace atl::coll {

// For the wait record: describes a wait in the last collective started on `comm`.
p2p::WaitDescription wait_description_in(Communicator& comm);

class Channel;

class Operation {
 public:
  // All members start the collectives on a communicator in the same order (MPI 5.0, 6.13), so they
  // give an operation the same number, which is the tag of its messages. Messages of one operation
  // from one rank to another are matched in order.
  explicit Operation(Communicator& comm);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // Begin a message to or from a rank, numbered as for comm.world_rank(), in the collective context
  // of `comm`: the operation's communicator, or the local communicator of an inter-communicator.
  // The buffers must stay valid until settled().
  void send(const Data& data, int to, Communicator& comm);
  void receive(const Data& data, int from, Communicator& comm);

  // co_await settled(): waits until all messages begun so far are complete. A message that failed
  // is complete too; the operation goes on, since other members wait for its messages.
  auto settled() {
    struct Settled {
      Operation& operation;
      bool await_ready() const { return operation.under_way_ == 0; }
      void await_suspend(std::coroutine_handle<> task) {
        operation.wait_for(task, nullptr, nullptr);
      }
      void await_resume() const {}
    };
    return Settled{*this};
  }

  // co_await until(condition): goes on when condition(mode) is true, which other processes cause
  // by writes to shared memory. poll() evaluates the condition, with PollMode::complete before
  // this process sleeps.
  template <class Condition>
  auto until(Condition& condition) {
    struct Until {
      Operation& operation;
      Condition& condition;
      bool await_ready() const { return condition(shm::PollMode::fast); }
      void await_suspend(std::coroutine_handle<> task) {
        operation.wait_for(task, ask, &condition);
      }
      void await_resume() const {}
      static bool ask(void* condition, shm::PollMode mode) {
        return (*static_cast<Condition*>(condition))(mode);
      }
    };
    return Until{*this, condition};
  }

  // Resumes the task if its until() condition holds. False if nothing happened.
  bool poll(shm::PollMode mode);

  // The operation's signature is in `round`. When a long wait finds that other members' calls do
  // not match it, the task is dropped, since its partners may never arrive.
  void watches(Channel& channel, std::uint64_t round) {
    channel_ = &channel;
    round_ = round;
  }
  bool dropped() const { return dropped_; }
  bool ended(const Task& task) const { return dropped_ ? under_way_ == 0 : task.done(); }

  // Stores `error` if it is the first; false when `error` is none. The caller goes on with the
  // operation where other members wait for its part.
  bool fail(const Error& error);

  bool failed() const { return error_ != MPI_SUCCESS; }
  // For the next start of a persistent operation.
  void clear_error() { error_ = MPI_SUCCESS; }
  // The first error.
  Error error() const;

  // For the wait record.
  const p2p::WaitDescription& wait_description() const { return wait_description_; }

  // Called with `owner` each time progress has resumed the task. Null for a blocking call, whose
  // caller calls poll().
  void (*ran_on)(void*) = nullptr;
  void* owner = nullptr;

  // Whether starts are in the same order on all members. False for persistent operations, which
  // each rank may start in its own order.
  bool ordered = true;

 private:
  void wait_for(std::coroutine_handle<> task, bool (*come)(void*, shm::PollMode), void* condition);
  static void arrived(void* self, const p2p::Request& request);
  void check_length(const p2p::Request& receive);
  static void run_on(void* self);
  bool drop();
  void cancel_messages();

  Communicator& comm_;
  int tag_;
  int under_way_ = 0;
  std::coroutine_handle<> waiting_;
  bool (*come_)(void*, shm::PollMode) = nullptr;  // of until(): poll() calls it with condition_
  void* condition_ = nullptr;
  Channel* channel_ = nullptr;
  std::uint64_t round_ = 0;
  std::uint32_t polls_ = 0;
  bool dropped_ = false;
  p2p::WaitDescription wait_description_;
  int error_ = MPI_SUCCESS;
  std::string why_;
};

}  // namespace atl::coll
