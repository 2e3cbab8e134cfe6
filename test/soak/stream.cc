// Messages from some ranks to one, in all modes of sending, received in all ways.
#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/data.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

struct Message {
  int source;  // rank in the group that sends
  int tag;
  Contents contents;
  bool buffered;
};

constexpr int kMostSources = 4;
constexpr int kMostMessages = 6;  // of a source
constexpr int kMessageTags = 3;   // kTags without that of the token
constexpr std::size_t kMostBytes = 3 << 20;
constexpr std::size_t kMostBuffered = 64 * 1024;

// What all know of a stream.
struct StreamPlan {
  Community* at = nullptr;
  int community = 0;
  int side = 0, receiver = 0;
  int first_tag = 0;
  bool any_source = false, any_tag = false;
  BaseKind kind = BaseKind::bytes;
  std::vector<int> sources;
  // In the order in which they are received; those of a source in the order of their sending.
  std::vector<Message> messages;
  std::size_t early = 0;  // receives that are posted before anything is sent
  bool together = false;  // the others are begun in the step of the sends
  bool ready = false;     // sent in ready mode, when the receiver says that it can be

  bool all_early() const { return early == messages.size(); }
  // Whether a rank may wait in a send: the receive is posted, or those that come are received
  // in the order of their sending.
  bool may_block() const {
    const bool in_order = !any_source || any_tag || sources.size() == 1;
    return all_early() || (together && in_order);
  }
};

struct Sent {
  explicit Sent(const Message& message, check::Random& own)
      : buffer(message.contents.kind, message.contents.bases, true, own) {
    buffer.fill(message.contents);
  }
  MessageBuffer buffer;
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Received {
  Received(BaseKind kind, std::size_t bases, check::Random& own)
      : buffer(kind, bases, false, own) {}
  MessageBuffer buffer;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status{};
};

class Stream : public Operation {
 public:
  explicit Stream(StreamPlan plan) : plan_(std::move(plan)), at_(*plan_.at) {}

  int steps() const override { return 3; }
  std::vector<int> uses() const override { return {plan_.community}; }

  void step(int number, check::Random& own) override {
    if (number == 0 && receives()) {
      for (std::size_t i = 0; i < plan_.early; ++i) post(own);
      if (plan_.ready) say_ready();
    }
    if (number == 1) send_all(own);
    if (number == (plan_.together ? 1 : 2) && receives()) {
      while (received_.size() < plan_.messages.size()) receive(own);
    }
  }

  void collect(std::vector<Pending>& pending) override {
    for (const auto& sent : sent_) pending.push_back({&sent->request, nullptr});
    for (MPI_Request& token : tokens_) pending.push_back({&token, nullptr});
    for (const auto& received : received_) {
      if (received->request != MPI_REQUEST_NULL) {
        pending.push_back({&received->request, &received->status});
      }
    }
  }

  void finish() override {
    for (const auto& sent : sent_) {
      if (sent->request != MPI_REQUEST_NULL) MPI_Request_free(&sent->request);
    }
    std::vector<bool> come(plan_.messages.size());
    for (const auto& received : received_) {
      if (received->request != MPI_REQUEST_NULL) MPI_Request_free(&received->request);
      received->buffer.verify(take(received->status, come).contents, received->status);
    }
    sent_.clear();
    received_.clear();
  }

 private:
  bool receives() const { return at_.is_here(plan_.side, plan_.receiver); }

  // --- sending ---

  int token_tag() const { return plan_.first_tag + kMessageTags; }

  // The ranks that send must not be kept waiting by those that have not been told yet.
  void say_ready() {
    tokens_.resize(plan_.sources.size(), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      MPI_Isend(nullptr, 0, MPI_BYTE, plan_.sources[i], token_tag(), at_.comm, &tokens_[i]);
    }
  }

  void send_all(check::Random& own) {
    const int from = at_.other(plan_.side);
    if (!at_.member() || at_.side != from) return;
    if (std::ranges::find(plan_.sources, at_.rank) == plan_.sources.end()) return;
    if (plan_.ready) {
      MPI_Recv(nullptr, 0, MPI_BYTE, plan_.receiver, token_tag(), at_.comm, MPI_STATUS_IGNORE);
    }
    for (const Message& message : plan_.messages) {
      if (message.source == at_.rank) send(message, own);
    }
  }

  void send(const Message& message, check::Random& own) {
    auto sent = std::make_unique<Sent>(message, own);
    const bool to_itself = receives() && !plan_.all_early();
    const unsigned ways = plan_.may_block() && !to_itself ? 3 : 2;
    const unsigned way = unsigned(own.below(ways));
    if (message.buffered) {
      call(way, MPI_Ibsend, MPI_Bsend_init, MPI_Bsend, message, *sent);
    } else if (plan_.ready && own.one_in(2)) {
      call(way, MPI_Irsend, MPI_Rsend_init, MPI_Rsend, message, *sent);
    } else if (own.one_in(3)) {
      call(way, MPI_Issend, MPI_Ssend_init, MPI_Ssend, message, *sent);
    } else {
      call(way, MPI_Isend, MPI_Send_init, MPI_Send, message, *sent);
    }
    if (sent->request != MPI_REQUEST_NULL) sent_.push_back(std::move(sent));
  }

  template <class Starting, class Making, class Blocking>
  void call(unsigned way, Starting starting, Making making, Blocking blocking,
            const Message& message, Sent& sent) {
    void* const data = sent.buffer.address();
    const int count = sent.buffer.count(), dest = plan_.receiver, tag = message.tag;
    const MPI_Datatype type = sent.buffer.type();
    if (way == 0) {
      starting(data, count, type, dest, tag, at_.comm, &sent.request);
    } else if (way == 1) {
      making(data, count, type, dest, tag, at_.comm, &sent.request);
      MPI_Start(&sent.request);
    } else {
      blocking(data, count, type, dest, tag, at_.comm);
    }
  }

  // --- receiving ---

  int source_argument() const { return plan_.any_source ? MPI_ANY_SOURCE : next().source; }
  int tag_argument() const { return plan_.any_tag ? MPI_ANY_TAG : next().tag; }
  const Message& next() const { return plan_.messages[received_.size()]; }

  // As long as the longest that may come; or, where it is known, as the one that will.
  Received& make_received(check::Random& own) {
    std::size_t bases = 0;
    for (const Message& message : plan_.messages) bases = std::max(bases, message.contents.bases);
    if (!plan_.any_source && own.one_in(2)) bases = next().contents.bases;
    return add(bases, own);
  }
  Received& add(std::size_t bases, check::Random& own) {
    received_.push_back(std::make_unique<Received>(plan_.kind, bases, own));
    return *received_.back();
  }

  void post(check::Random& own) {
    const int source = source_argument(), tag = tag_argument();
    Received& to = make_received(own);
    if (own.one_in(4)) {
      MPI_Recv_init(to.buffer.address(), to.buffer.count(), to.buffer.type(), source, tag, at_.comm,
                    &to.request);
      MPI_Start(&to.request);
    } else {
      MPI_Irecv(to.buffer.address(), to.buffer.count(), to.buffer.type(), source, tag, at_.comm,
                &to.request);
    }
  }

  // One message, or one receive that is posted.
  void receive(check::Random& own) {
    switch (own.below(6)) {
      case 0: return post(own);
      case 1: return post_and_cancel(own);
      case 2: return probe(own);
      case 3: return matched_probe(own);
      default: break;
    }
    const int source = source_argument(), tag = tag_argument();
    Received& to = make_received(own);
    MPI_Recv(to.buffer.address(), to.buffer.count(), to.buffer.type(), source, tag, at_.comm,
             &to.status);
  }

  // When no message was faster it is as if nothing had happened.
  void post_and_cancel(check::Random& own) {
    post(own);
    Received& to = *received_.back();
    MPI_Cancel(&to.request);
    MPI_Request request = to.request;
    MPI_Wait(&request, &to.status);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    to.request = MPI_REQUEST_NULL;
    int cancelled = -1;
    MPI_Test_cancelled(&to.status, &cancelled);
    if (cancelled) received_.pop_back();
  }

  std::size_t bases_of(const MPI_Status& status) const {
    int basics = -1;
    MPI_Get_elements(&status, base(plan_.kind).type, &basics);
    return std::size_t(basics) / std::size_t(base(plan_.kind).basics);
  }

  void probe(check::Random& own) {
    MPI_Status status;
    const int source = source_argument(), tag = tag_argument();
    if (own.one_in(2)) {
      MPI_Probe(source, tag, at_.comm, &status);
    } else {
      for (int found = 0; !found;) MPI_Iprobe(source, tag, at_.comm, &found, &status);
    }
    Received& to = add(bases_of(status), own);
    MPI_Recv(to.buffer.address(), to.buffer.count(), to.buffer.type(), status.MPI_SOURCE,
             status.MPI_TAG, at_.comm, &to.status);
  }

  void matched_probe(check::Random& own) {
    MPI_Status status;
    MPI_Message message = MPI_MESSAGE_NULL;
    const int source = source_argument(), tag = tag_argument();
    if (own.one_in(2)) {
      MPI_Mprobe(source, tag, at_.comm, &message, &status);
    } else {
      for (int found = 0; !found;) {
        MPI_Improbe(source, tag, at_.comm, &found, &message, &status);
      }
    }
    Received& to = add(bases_of(status), own);
    if (own.one_in(2)) {
      MPI_Mrecv(to.buffer.address(), to.buffer.count(), to.buffer.type(), &message, &to.status);
    } else {
      MPI_Imrecv(to.buffer.address(), to.buffer.count(), to.buffer.type(), &message, &to.request);
    }
  }

  // The message that a status is about: messages from one rank do not overtake each other.
  const Message& take(const MPI_Status& status, std::vector<bool>& come) const {
    for (std::size_t i = 0; i < come.size(); ++i) {
      const Message& message = plan_.messages[i];
      if (come[i] || message.source != status.MPI_SOURCE) continue;
      if (!plan_.any_tag && message.tag != status.MPI_TAG) continue;
      come[i] = true;
      CHECK_EQ(message.tag, status.MPI_TAG);
      return message;
    }
    check::fail(__FILE__, __LINE__,
                "a message from " + std::to_string(status.MPI_SOURCE) + " with tag " +
                    std::to_string(status.MPI_TAG) + ", which nobody sent");
  }

  StreamPlan plan_;
  const Community& at_;
  std::vector<std::unique_ptr<Sent>> sent_;
  std::vector<MPI_Request> tokens_;
  // In the order in which they were posted, or their messages found by a probe.
  std::vector<std::unique_ptr<Received>> received_;
};

std::vector<int> draw_sources(check::Random& random, int size) {
  std::vector<int> sources;
  for (int i = 1 + int(random.below(kMostSources)); i > 0; --i) {
    const int source = int(random.below(std::uint64_t(size)));
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

// Messages of several sources in one of the orders that keep each source's own.
void draw_messages(StreamPlan& plan, Draw& draw) {
  check::Random& random = draw.random;
  std::vector<int> left;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    left.insert(left.end(), 1 + random.below(kMostMessages), plan.sources[i]);
  }
  for (std::size_t i = left.size(); i > 1; --i) std::swap(left[i - 1], left[random.below(i)]);
  const std::size_t most = std::min(kMostBytes, draw.bytes_left / left.size());
  for (const int source : left) {
    Message message{source, plan.first_tag + int(random.below(kMessageTags)),
                    draw_contents(random, plan.kind, random.one_in(6) ? most : most / 64), false};
    const std::size_t bytes = message.contents.bytes() + MPI_BSEND_OVERHEAD + 1024;
    if (bytes < std::min(kMostBuffered, draw.buffered_left) && random.one_in(5)) {
      message.buffered = true;
      draw.buffered_left -= bytes;
    }
    draw.bytes_left -= message.contents.bytes();
    plan.messages.push_back(message);
  }
}

}  // namespace

std::unique_ptr<Operation> draw_stream(Draw& draw) {
  const int number = draw.for_messages();
  if (number < 0) return nullptr;
  check::Random& random = draw.random;
  StreamPlan plan;
  Community& at = draw.at(number);
  plan.at = &at;
  plan.community = number;
  plan.side = at.inter ? int(random.below(2)) : 0;
  plan.receiver = int(random.below(std::uint64_t(at.size(plan.side))));
  plan.first_tag = draw.tag(0);
  plan.kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
  plan.sources = draw_sources(random, at.size(at.other(plan.side)));
  plan.any_source = random.one_in(2);
  plan.any_tag = !at.used && number > 0 && random.one_in(2);
  at.claimed = plan.any_tag;
  at.used = true;
  draw_messages(plan, draw);
  plan.together = random.one_in(2);
  plan.early = random.one_in(2) ? plan.messages.size() : random.below(plan.messages.size() + 1);
  plan.ready = plan.all_early() && random.one_in(3) && !plan.any_tag;
  return std::make_unique<Stream>(std::move(plan));
}

}  // namespace soak
