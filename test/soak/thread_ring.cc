#include "test/soak/thread_ring.h"

#include <memory>

#include "test/check.h"
#include "test/soak/completion.h"
#include "test/soak/data.h"
#include "test/soak/where.h"

namespace soak {
namespace {

constexpr int kMostMessages = 12;
constexpr std::size_t kMostBytes = 300 * 1024;

struct Message {
  explicit Message(const Contents& contents, bool sends, check::Random& own)
      : contents(contents), buffer(contents.kind, contents.bases, sends, own) {}
  Contents contents;
  MessageBuffer buffer;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status{};
};
using Messages = std::vector<std::unique_ptr<Message>>;

// What the thread with a number sends in a round; its receiver knows it too. Kinds of data
// change from message to message.
std::vector<Contents> contents_of(const ThreadRing& ring, int sender, long round) {
  check::Random random(ring.seed * 31 + std::uint64_t(round) * 65537 + std::uint64_t(sender));
  std::vector<Contents> all(1 + random.below(kMostMessages));
  for (Contents& contents : all) {
    const auto kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
    contents = draw_contents(random, kind, random.one_in(8) ? kMostBytes : kMostBytes / 32);
  }
  return all;
}

// Rounds that are under way at the same time, and messages of one, are told apart.
int tag_of(long round, std::size_t message) {
  return int(round % 16) * kMostMessages + int(message);
}

void begin_receives(Messages& in, MPI_Comm comm, int source, long round, check::Random& own) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    Message& to = *in[i];
    MPI_Irecv(to.buffer.address(), to.buffer.count(), to.buffer.type(),
              own.one_in(3) ? MPI_ANY_SOURCE : source, tag_of(round, i), comm, &to.request);
  }
}

void begin_sends(Messages& out, MPI_Comm comm, int dest, long round, check::Random& own) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Message& from = *out[i];
    from.buffer.fill(from.contents);
    (own.one_in(3) ? MPI_Issend : MPI_Isend)(from.buffer.address(), from.buffer.count(),
                                             from.buffer.type(), dest, tag_of(round, i), comm,
                                             &from.request);
  }
}

Messages make(const std::vector<Contents>& contents, bool sends, check::Random& own) {
  Messages all;
  for (const Contents& one : contents) all.push_back(std::make_unique<Message>(one, sends, own));
  return all;
}

}  // namespace

int play_thread_ring(const ThreadRing& ring, int thread, long round, check::Random& own) {
  set_nowhere("the ring of threads");
  const int threads = int(ring.comms.size()), all = threads * check::size;
  const int self = check::rank * threads + thread;
  // Another distance in each round: to a neighbour, to a thread of the same rank, to itself.
  const int distance =
      int(check::Random(ring.seed + std::uint64_t(round)).below(std::uint64_t(all)));
  const int before = (self + all - distance) % all, next = (self + distance) % all;
  Messages in = make(contents_of(ring, before, round), false, own);
  Messages out = make(contents_of(ring, self, round), true, own);
  const MPI_Comm mine = ring.comms[std::size_t(thread)];
  const MPI_Comm theirs = ring.comms[std::size_t(next % threads)];
  const bool receives_first = own.one_in(2);
  if (receives_first) begin_receives(in, mine, before / threads, round, own);
  begin_sends(out, theirs, next / threads, round, own);
  if (!receives_first) begin_receives(in, mine, before / threads, round, own);

  std::vector<Pending> pending;
  for (auto* messages : {&in, &out}) {
    for (const auto& message : *messages) pending.push_back({&message->request, &message->status});
  }
  complete(pending, own);
  for (std::size_t i = 0; i < in.size(); ++i) {
    CHECK_EQ(in[i]->status.MPI_SOURCE, before / threads);
    CHECK_EQ(in[i]->status.MPI_TAG, tag_of(round, i));
    in[i]->buffer.verify(in[i]->contents, in[i]->status);
  }
  return int(out.size());
}

}  // namespace soak
