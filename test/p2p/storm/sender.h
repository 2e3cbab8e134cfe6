// This rank's part of the plan: messages are started one by one, in all modes.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "test/p2p/storm/plan.h"

namespace storm {

class Sender {
 public:
  Sender(const Plan& plan, const std::vector<MPI_Comm>& comms) : comms_(comms) {
    for (const Message& message : plan) {
      if (message.source == check::rank) waiting_.push_back(message);
    }
  }

  bool all_started() const { return waiting_.empty(); }
  std::uint64_t checksum() const { return checksum_; }

  void start_next() {
    const Message message = waiting_.front();
    waiting_.pop_front();
    auto sent = std::make_unique<Sent>(message);
    checksum_ += check::checksum(sent->data.data(), message.bytes);
    if (message.mode == Mode::taken_back && !taken_back(message, *sent)) return;
    start(message, *sent);
    under_way_.push_back(std::move(sent));
  }

  // Removes complete sends; with `wait`, completes all.
  void reap(bool wait) {
    std::erase_if(under_way_, [wait](const std::unique_ptr<Sent>& sent) {
      int done = 1;
      if (wait) {
        MPI_Wait(&sent->request, MPI_STATUS_IGNORE);
      } else {
        MPI_Test(&sent->request, &done, MPI_STATUS_IGNORE);
      }
      if (done && sent->persistent) MPI_Request_free(&sent->request);
      return done != 0;
    });
  }

 private:
  struct Sent {
    explicit Sent(const Message& message) : data(message.bytes) {
      check::fill(data.data(), data.size(), message.seed);
    }
    std::vector<char> data;
    MPI_Request request = MPI_REQUEST_NULL;
    bool persistent = false;
  };
  using Call = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

  void call(Call how, const Message& message, Sent& sent) {
    how(sent.data.data(), message.count(), message.type(), message.dest, message.tag,
        comms_[message.comm], &sent.request);
  }

  void start(const Message& message, Sent& sent) {
    switch (message.mode) {
      case Mode::synchronous: return call(MPI_Issend, message, sent);
      case Mode::buffered: return call(MPI_Ibsend, message, sent);
      case Mode::ready: return call(MPI_Irsend, message, sent);
      case Mode::persistent:
        sent.persistent = true;
        call(MPI_Send_init, message, sent);
        MPI_Start(&sent.request);
        return;
      default: return call(MPI_Isend, message, sent);
    }
  }

  // Sends and cancels. False when the message was sent nevertheless. Only on Atoll, since with
  // others the wait may need a receive that is posted much later.
  bool taken_back(const Message& message, Sent& sent) {
    if (!check::on_atoll()) return true;
    call(message.seed % 2 ? MPI_Issend : MPI_Isend, message, sent);
    MPI_Cancel(&sent.request);
    MPI_Status status;
    MPI_Wait(&sent.request, &status);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    return flag != 0;
  }

  const std::vector<MPI_Comm>& comms_;
  std::deque<Message> waiting_;
  std::vector<std::unique_ptr<Sent>> under_way_;
  std::uint64_t checksum_ = 0;
};

}  // namespace storm
