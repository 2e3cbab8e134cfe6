// A send that is cancelled, while its receive may be posted: either both are cancelled, or the
// message arrives whole. And a receive of what nobody sends.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/data.h"
#include "test/soak/pair.h"

namespace soak {
namespace {

constexpr std::size_t kMostBytes = 700 * 1024;

struct CancelPlan {
  Pair pair;
  int first_tag = 0;
  Contents contents;
  bool early = false;  // the receive is posted before the send

  int tag() const { return first_tag; }
  int answer_tag() const { return first_tag + 1; }  // whether the send was cancelled
  int never_tag() const { return first_tag + 2; }   // nobody sends it
};

bool was_cancelled(const MPI_Status& status) {
  int flag = -1;
  MPI_Test_cancelled(&status, &flag);
  return flag != 0;
}

class Cancel : public Operation {
 public:
  explicit Cancel(const CancelPlan& plan) : plan_(plan), comm_(plan.pair.at->comm) {}

  int steps() const override { return 3; }
  std::vector<int> uses() const override { return {plan_.pair.community}; }

  void step(int number, check::Random& own) override {
    if (number == 0 && plan_.pair.receives()) {
      cancel_unmatched();
      if (plan_.early) post(own);
    }
    if (number == 1 && plan_.pair.sends()) send_and_cancel(own);
    if (number == 2 && plan_.pair.receives()) receive(own);
  }

  void collect(std::vector<Pending>& pending) override {
    if (answer_request_ != MPI_REQUEST_NULL) pending.push_back({&answer_request_, nullptr});
    if (request_ != MPI_REQUEST_NULL) pending.push_back({&request_, &status_});
  }

  void finish() override {
    if (in_ != nullptr) in_->verify(plan_.contents, status_);
    in_.reset();
    out_.reset();
  }

 private:
  void cancel_unmatched() {
    int value = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, plan_.never_tag(), comm_, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    CHECK(was_cancelled(status));
  }

  void post(check::Random& own) {
    in_ = std::make_unique<MessageBuffer>(plan_.contents.kind, plan_.contents.bases, false, own);
    MPI_Irecv(in_->address(), in_->count(), in_->type(), plan_.pair.source, plan_.tag(), comm_,
              &request_);
  }

  // The wait is local (MPI 5.0, 3.8.4), so it waits for no step of the receiver.
  void send_and_cancel(check::Random& own) {
    out_ = std::make_unique<MessageBuffer>(plan_.contents.kind, plan_.contents.bases, true, own);
    out_->fill(plan_.contents);
    MPI_Request request;
    MPI_Status status;
    (own.one_in(2) ? MPI_Issend : MPI_Isend)(out_->address(), out_->count(), out_->type(),
                                             plan_.pair.dest, plan_.tag(), comm_, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    cancelled_ = was_cancelled(status);
    MPI_Isend(&cancelled_, 1, MPI_INT, plan_.pair.dest, plan_.answer_tag(), comm_,
              &answer_request_);
  }

  void receive(check::Random& own) {
    int cancelled = -1;
    MPI_Recv(&cancelled, 1, MPI_INT, plan_.pair.source, plan_.answer_tag(), comm_,
             MPI_STATUS_IGNORE);
    if (!cancelled) {
      if (!plan_.early) post(own);
      return;
    }
    if (plan_.early) {
      MPI_Cancel(&request_);
      MPI_Wait(&request_, &status_);
      CHECK(was_cancelled(status_));
      in_.reset();
    }
    int found = -1;
    MPI_Iprobe(plan_.pair.source, plan_.tag(), comm_, &found, MPI_STATUS_IGNORE);
    CHECK_EQ(found, 0);
  }

  CancelPlan plan_;
  const MPI_Comm& comm_;  // made later than the plan
  std::unique_ptr<MessageBuffer> out_, in_;
  int cancelled_ = -1;
  MPI_Request answer_request_ = MPI_REQUEST_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_{};
};

}  // namespace

std::unique_ptr<Operation> draw_cancel(Draw& draw) {
  const auto pair = draw_pair(draw);
  if (!pair) return nullptr;
  check::Random& random = draw.random;
  CancelPlan plan;
  plan.pair = *pair;
  plan.first_tag = draw.tag(0);
  const std::size_t most = std::min(kMostBytes, draw.bytes_left);
  plan.contents = draw_contents(random, BaseKind(random.below(std::uint64_t(BaseKind::count))),
                                random.one_in(6) ? most : most / 64);
  draw.bytes_left -= plan.contents.bytes();
  plan.early = random.one_in(2);
  return std::make_unique<Cancel>(plan);
}

}  // namespace soak
