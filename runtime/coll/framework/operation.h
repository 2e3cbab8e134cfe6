// One collective operation under way in this process: the messages it has begun
// and the task that waits for them.
#pragma once

#include <coroutine>
#include <string>

#include "runtime/coll/framework/data.h"
#include "runtime/coll/framework/task.h"
#include "runtime/comm/communicator.h"
#include "runtime/p2p/blocking.h"

namespace atl::coll {

// For the wait record of the collective that was last begun on `comm`.
p2p::Awaited awaited_in(Communicator& comm);

class Channel;

class Operation {
 public:
  // All members begin their collectives on a communicator in the same order
  // (MPI 5.0, 6.13), so that they give them the same number, which is the tag of
  // its messages. What one rank sends another keeps its order.
  explicit Operation(Communicator& comm);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // Begin a message to or from a rank as comm.world_rank() takes it, in the
  // collective context of `comm`: the operation's communicator, or the local one
  // of an inter-communicator. Data stay where they are until settled().
  void send(const Data& data, int to, Communicator& comm);
  void receive(const Data& data, int from, Communicator& comm);

  // co_await settled(): all that was begun is done. A message that failed is
  // done too; the operation goes on, since others count on its part.
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

  // co_await until(condition): goes on when condition(look) is true, which others
  // make it by what they write into shared memory. It is asked now and then, and
  // with Look::full before this process sleeps.
  template <class Condition>
  auto until(Condition& condition) {
    struct Until {
      Operation& operation;
      Condition& condition;
      bool await_ready() const { return condition(shm::Look::quick); }
      void await_suspend(std::coroutine_handle<> task) {
        operation.wait_for(task, ask, &condition);
      }
      void await_resume() const {}
      static bool ask(void* condition, shm::Look look) {
        return (*static_cast<Condition*>(condition))(look);
      }
    };
    return Until{*this, condition};
  }

  // Runs on if what it waits for by until() has come. False: nothing happened.
  bool look(shm::Look look);

  // Its signature is in this round. When a long wait finds that others call something else there,
  // its task is dropped, since what it waits for may never come.
  void watches(Channel& channel, std::uint64_t round) {
    channel_ = &channel;
    round_ = round;
  }
  bool dropped() const { return dropped_; }
  bool ended(const Task& task) const { return dropped_ ? under_way_ == 0 : task.done(); }

  // Keeps the first error; false when `fault` is none. The operation goes on where
  // others count on its part.
  bool fail(const Fault& fault);

  bool failed() const { return error_ != MPI_SUCCESS; }
  // A persistent one starts again.
  void clear_error() { error_ = MPI_SUCCESS; }
  // The first error.
  Fault fault() const;

  // For the wait record.
  const p2p::Awaited& awaited() const { return awaited_; }

  // CollectiveSignature whenever the task has run on by itself. Null: its caller waits for it,
  // and calls look().
  void (*ran_on)(void*) = nullptr;
  void* owner = nullptr;

  // Its place among the collectives of the communicator is that of its start: not
  // so for persistent ones, which each rank may start in an order of its own.
  bool ordered = true;

 private:
  void wait_for(std::coroutine_handle<> task, bool (*come)(void*, shm::Look), void* condition);
  static void arrived(void* self, const p2p::Request& request);
  void check_length(const p2p::Request& receive);
  static void run_on(void* self);
  bool drop();
  void withdraw_messages();

  Communicator& comm_;
  int tag_;
  int under_way_ = 0;
  std::coroutine_handle<> waiting_;
  bool (*come_)(void*, shm::Look) = nullptr;  // asked by look() with condition_
  void* condition_ = nullptr;
  Channel* channel_ = nullptr;
  std::uint64_t round_ = 0;
  std::uint32_t looks_ = 0;
  bool dropped_ = false;
  p2p::Awaited awaited_;
  int error_ = MPI_SUCCESS;
  std::string why_;
};

}  // namespace atl::coll
