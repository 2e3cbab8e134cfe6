// All ranks of a group send to another one and receive: MPI_Sendrecv in its forms.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/data.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

constexpr std::size_t kMostBytes = 600 * 1024;

struct ExchangePlan {
  Community* at = nullptr;
  int community = 0;
  int shift = 0;  // to the rank that is so much higher
  int tag = 0;
  std::vector<Contents> messages;  // by the rank that sends
  bool replace = false;
};

class Exchange : public Operation {
 public:
  explicit Exchange(ExchangePlan plan) : plan_(std::move(plan)), at_(*plan_.at) {}

  int steps() const override { return 1; }
  std::vector<int> uses() const override { return {plan_.community}; }

  void step(int, check::Random& own) override {
    if (!at_.member()) return;
    const int size = at_.size(0);
    source_ = (at_.rank + size - plan_.shift) % size;
    const int dest = (at_.rank + plan_.shift) % size;
    const Contents& give = plan_.messages[std::size_t(at_.rank)];
    const Contents& take = plan_.messages[std::size_t(source_)];
    if (plan_.replace) return replace(give, dest, own);
    out_ = std::make_unique<MessageBuffer>(give.kind, give.bases, true, own);
    in_ = std::make_unique<MessageBuffer>(take.kind, take.bases, false, own);
    out_->fill(give);
    const int source = own.one_in(4) ? MPI_ANY_SOURCE : source_;
    if (own.one_in(2)) {
      MPI_Sendrecv(out_->address(), out_->count(), out_->type(), dest, plan_.tag, in_->address(),
                   in_->count(), in_->type(), source, plan_.tag, at_.comm, &status_);
    } else {
      MPI_Isendrecv(out_->address(), out_->count(), out_->type(), dest, plan_.tag, in_->address(),
                    in_->count(), in_->type(), source, plan_.tag, at_.comm, &request_);
    }
  }

  void collect(std::vector<Pending>& pending) override {
    if (request_ != MPI_REQUEST_NULL) pending.push_back({&request_, &status_});
  }

  void finish() override {
    if (in_ == nullptr) return;
    CHECK_EQ(status_.MPI_SOURCE, source_);
    CHECK_EQ(status_.MPI_TAG, plan_.tag);
    in_->verify(plan_.messages[std::size_t(source_)], status_);
    in_.reset();
    out_.reset();
  }

 private:
  // All are equally long.
  void replace(const Contents& give, int dest, check::Random& own) {
    in_ = std::make_unique<MessageBuffer>(give.kind, give.bases, true, own);
    in_->fill(give);
    if (own.one_in(2)) {
      MPI_Sendrecv_replace(in_->address(), in_->count(), in_->type(), dest, plan_.tag, source_,
                           plan_.tag, at_.comm, &status_);
    } else {
      MPI_Isendrecv_replace(in_->address(), in_->count(), in_->type(), dest, plan_.tag, source_,
                            plan_.tag, at_.comm, &request_);
    }
  }

  ExchangePlan plan_;
  const Community& at_;
  int source_ = -1;
  std::unique_ptr<MessageBuffer> out_, in_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  MPI_Status status_{};
};

}  // namespace

std::unique_ptr<Operation> draw_exchange(Draw& draw) {
  const int number = draw.for_messages();
  if (number < 0 || draw.at(number).inter) return nullptr;
  check::Random& random = draw.random;
  ExchangePlan plan;
  Community& at = draw.at(number);
  at.used = true;
  plan.at = &at;
  plan.community = number;
  const auto size = std::size_t(at.size(0));
  plan.shift = int(random.below(size));
  plan.tag = draw.tag(0);
  plan.replace = random.one_in(3);
  const auto kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
  const std::size_t most = std::min(kMostBytes, draw.bytes_left / size / 2);
  for (std::size_t i = 0; i < size; ++i) {
    Contents contents = draw_contents(random, kind, random.one_in(6) ? most : most / 64);
    if (plan.replace && i > 0) contents.bases = plan.messages[0].bases;
    plan.messages.push_back(contents);
    draw.bytes_left -= contents.bytes();
  }
  return std::make_unique<Exchange>(std::move(plan));
}

}  // namespace soak
