// Persistent messages between two ranks, started several times with other contents.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/completion.h"
#include "test/soak/data.h"
#include "test/soak/pair.h"

namespace soak {
namespace {

constexpr int kMostLaps = 5;
constexpr std::size_t kMostBytes = 600 * 1024;

struct RepeatedPlan {
  Pair pair;
  int tag = 0;
  bool any_source = false;
  std::vector<Contents> messages;  // all started in each lap
  int laps = 2;

  // Other contents for each lap.
  Contents contents(std::size_t message, int lap) const {
    Contents of = messages[message];
    of.pattern += std::uint64_t(lap);
    return of;
  }
};

struct Channel {
  Channel(const Contents& contents, bool exact, check::Random& own)
      : buffer(contents.kind, contents.bases, exact, own) {}
  MessageBuffer buffer;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status{};
};

// In each lap the receives are started, then the sends, and then all are completed.
class Repeated : public Operation {
 public:
  explicit Repeated(RepeatedPlan plan) : plan_(std::move(plan)), comm_(plan_.pair.at->comm) {}

  int steps() const override { return 3 * plan_.laps; }
  std::vector<int> uses() const override { return {plan_.pair.community}; }

  void step(int number, check::Random& own) override {
    const int lap = number / 3;
    if (number == 0 && plan_.pair.receives()) make_receives(own);
    if (number == 1 && plan_.pair.sends()) make_sends(own);
    if (number % 3 == 0) start(in_, own);
    if (number % 3 == 1) {
      for (std::size_t i = 0; i < out_.size(); ++i) out_[i]->buffer.fill(plan_.contents(i, lap));
      start(out_, own);
    }
    if (number % 3 == 2) end_lap(lap, own);
  }

  void finish() override {
    for (auto* channels : {&in_, &out_}) {
      for (const auto& channel : *channels) MPI_Request_free(&channel->request);
      channels->clear();
    }
  }

 private:
  using Channels = std::vector<std::unique_ptr<Channel>>;

  void make_receives(check::Random& own) {
    for (const Contents& contents : plan_.messages) {
      auto channel = std::make_unique<Channel>(contents, false, own);
      MPI_Recv_init(channel->buffer.address(), channel->buffer.count(), channel->buffer.type(),
                    plan_.any_source ? MPI_ANY_SOURCE : plan_.pair.source, plan_.tag, comm_,
                    &channel->request);
      in_.push_back(std::move(channel));
    }
  }

  void make_sends(check::Random& own) {
    for (const Contents& contents : plan_.messages) {
      auto channel = std::make_unique<Channel>(contents, true, own);
      (own.one_in(2) ? MPI_Send_init : MPI_Ssend_init)(
          channel->buffer.address(), channel->buffer.count(), channel->buffer.type(),
          plan_.pair.dest, plan_.tag, comm_, &channel->request);
      out_.push_back(std::move(channel));
    }
  }

  // In their order, as they are told apart by it.
  static void start(Channels& channels, check::Random& own) {
    std::vector<MPI_Request> requests;
    for (const auto& channel : channels) requests.push_back(channel->request);
    if (own.one_in(2)) {
      MPI_Startall(int(requests.size()), requests.data());
    } else {
      for (MPI_Request& request : requests) MPI_Start(&request);
    }
  }

  void end_lap(int lap, check::Random& own) {
    std::vector<Pending> pending;
    for (auto* channels : {&in_, &out_}) {
      for (const auto& channel : *channels) {
        pending.push_back({&channel->request, &channel->status});
      }
    }
    complete(pending, own);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      CHECK_EQ(in_[i]->status.MPI_SOURCE, plan_.pair.source);
      CHECK_EQ(in_[i]->status.MPI_TAG, plan_.tag);
      in_[i]->buffer.verify(plan_.contents(i, lap), in_[i]->status);
    }
  }

  RepeatedPlan plan_;
  const MPI_Comm& comm_;  // made later than the plan
  Channels in_, out_;
};

}  // namespace

std::unique_ptr<Operation> draw_repeated(Draw& draw) {
  const auto pair = draw_pair(draw);
  if (!pair) return nullptr;
  check::Random& random = draw.random;
  RepeatedPlan plan;
  plan.pair = *pair;
  plan.tag = draw.tag(0);
  plan.any_source = random.one_in(3);
  plan.laps = 1 + int(random.below(kMostLaps));
  const auto kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
  for (int i = 1 + int(random.below(3)); i > 0; --i) {
    const std::size_t most = std::min(kMostBytes, draw.bytes_left / 4);
    plan.messages.push_back(draw_contents(random, kind, random.one_in(6) ? most : most / 64));
    draw.bytes_left -= plan.messages.back().bytes();
  }
  return std::make_unique<Repeated>(std::move(plan));
}

}  // namespace soak
