// Many collectives of all kinds under way at once, on several communicators, one of them
// between two groups, with point-to-point messages between them and ranks that come late.
#include <unistd.h>

#include <array>
#include <memory>
#include <random>
#include <vector>

#include "test/check.h"
#include "test/seed.h"

namespace {

constexpr int kMostUnderWay = 12;

// A value that tells operation, rank and place.
int value(int operation, int rank, int i) { return operation * 1000003 + rank * 7919 + i; }

// A communicator and the others on it.
struct Place {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 0;
  int peers = 0;  // whom data come from: the other group, or all
  bool inter = false;
};

Place place_of(MPI_Comm comm) {
  Place place{comm};
  int inter = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &place.rank);
  MPI_Comm_size(comm, &place.size);
  place.inter = inter != 0;
  place.peers = place.size;
  if (place.inter) MPI_Comm_remote_size(comm, &place.peers);
  return place;
}

// One operation: its buffers, its request, and what must have come.
struct Pending {
  MPI_Request request = MPI_REQUEST_NULL;
  bool persistent = false, done = false;
  std::vector<int> out, in, expected;
  std::vector<int> counts, displs;

  void fill(int operation, int rank, int count) {
    for (int i = 0; i < count; ++i) out.push_back(value(operation, rank, i));
  }
  void expect(int operation, int rank, int count) {
    for (int i = 0; i < count; ++i) expected.push_back(value(operation, rank, i));
  }
  // Sums of what ranks [0, ranks) filled, and of no others.
  void expect_sum(int operation, int ranks, int count) {
    for (int i = 0; i < count; ++i) {
      unsigned sum = 0;
      for (int rank = 0; rank < ranks; ++rank) sum += unsigned(value(operation, rank, i));
      expected.push_back(int(sum));
    }
  }
};

enum Kind { barrier, bcast, allreduce, reduce, allgather, allgatherv, alltoall, scan, kinds };

// Begins the non-blocking form, or makes the persistent one and starts it.
#define BEGIN(pending, name, iname, ...)                                 \
  do {                                                                   \
    if ((pending).persistent) {                                          \
      MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &(pending).request); \
      MPI_Start(&(pending).request);                                     \
    } else {                                                             \
      MPI_##iname(__VA_ARGS__, &(pending).request);                      \
    }                                                                    \
  } while (false)

// All of a group do the same; `operation` is its number.
void begin(Pending& p, const Place& at, Kind kind, int operation, int count, int root) {
  p.fill(operation, at.rank, kind == alltoall ? count * at.peers : count);
  p.in.assign(std::size_t(count) * at.peers, -1);
  const int* out = p.out.data();
  int* in = p.in.data();
  switch (kind) {
    case barrier:
      p.in.clear();
      BEGIN(p, Barrier, Ibarrier, at.comm);
      break;
    case bcast:
      p.in.assign(count, -1);
      if (at.rank == root) p.in = p.out;
      p.expect(operation, root, count);
      BEGIN(p, Bcast, Ibcast, p.in.data(), count, MPI_INT, root, at.comm);
      break;
    case allreduce:
      p.in.resize(count);
      p.expect_sum(operation, at.peers, count);
      BEGIN(p, Allreduce, Iallreduce, out, in, count, MPI_INT, MPI_SUM, at.comm);
      break;
    case reduce:
      p.in.resize(count);
      if (at.rank == root) {
        p.expect_sum(operation, at.size, count);
      } else {
        p.expected = p.in;
      }
      BEGIN(p, Reduce, Ireduce, out, in, count, MPI_INT, MPI_SUM, root, at.comm);
      break;
    case allgather:
      for (int rank = 0; rank < at.peers; ++rank) p.expect(operation, rank, count);
      BEGIN(p, Allgather, Iallgather, out, count, MPI_INT, in, count, MPI_INT, at.comm);
      break;
    case allgatherv:
      for (int rank = 0; rank < at.peers; ++rank) {
        p.counts.push_back(rank % 2 == 0 ? count : 0);
        p.displs.push_back(int(p.expected.size()));
        p.expect(operation, rank, p.counts.back());
      }
      p.in.assign(p.expected.size(), -1);
      BEGIN(p, Allgatherv, Iallgatherv, out, at.rank % 2 == 0 ? count : 0, MPI_INT, p.in.data(),
            p.counts.data(), p.displs.data(), MPI_INT, at.comm);
      break;
    case alltoall:
      for (int rank = 0; rank < at.peers; ++rank) {
        for (int i = 0; i < count; ++i) {
          p.expected.push_back(value(operation, rank, at.rank * count + i));
        }
      }
      BEGIN(p, Alltoall, Ialltoall, out, count, MPI_INT, in, count, MPI_INT, at.comm);
      break;
    case scan:
      p.in.resize(count);
      p.expect_sum(operation, at.rank + 1, count);
      BEGIN(p, Scan, Iscan, out, in, count, MPI_INT, MPI_SUM, at.comm);
      break;
    case kinds: break;
  }
}

void finish(Pending& p) {
  CHECK(p.in == p.expected);
  if (p.persistent) MPI_Request_free(&p.request);
}

// To the next rank and from the one before, by the same tags as others of the same round.
class Message {
 public:
  Message(int round, int count) : round_(round), out_(count), in_(count, -1) {
    for (int i = 0; i < count; ++i) out_[i] = value(round, check::rank, i);
    const int next = (check::rank + 1) % check::size;
    MPI_Irecv(in_.data(), count, MPI_INT, before(), round % 3, MPI_COMM_WORLD, &requests_[0]);
    MPI_Isend(out_.data(), count, MPI_INT, next, round % 3, MPI_COMM_WORLD, &requests_[1]);
  }
  void finish() {
    MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (in_[i] != value(round_, before(), int(i))) CHECK_EQ(in_[i], value(round_, before(), i));
    }
    CHECK(true);
  }

 private:
  static int before() { return (check::rank + check::size - 1) % check::size; }

  int round_;
  std::vector<int> out_, in_;
  MPI_Request requests_[2];
};

// Two halves of the world and what is between them.
std::vector<Place> make_places() {
  MPI_Comm twin, half, between;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  std::vector<Place> places = {place_of(MPI_COMM_WORLD), place_of(twin)};
  if (check::size < 2) return places;
  const bool upper = check::rank >= check::size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : check::size / 2, 5, &between);
  places.push_back(place_of(half));
  places.push_back(place_of(between));
  return places;
}

// `common`: the same numbers everywhere; `own`: of this rank alone.
void storm(const std::vector<Place>& places, std::mt19937& common, std::mt19937& own, int round) {
  std::array<Pending, kMostUnderWay> pending;
  const int under_way = 1 + int(common() % kMostUnderWay);
  std::vector<Message> messages;
  messages.reserve(kMostUnderWay);
  if (own() % 4 == 0) usleep(own() % 2000);  // late
  for (int i = 0; i < under_way; ++i) {
    const Place& at = places[common() % places.size()];
    Kind kind = Kind(common() % kinds);
    // Between groups a root names itself otherwise, and there is no scan.
    if (at.inter && (kind == bcast || kind == reduce || kind == scan)) kind = allreduce;
    const int count = int(common() % 5 == 0 ? common() % 20000 : common() % 50);
    const int root = int(common() % 64);
    pending[i].persistent = common() % 4 == 0;
    begin(pending[i], at, kind, round * kMostUnderWay + i, count, at.inter ? 0 : root % at.size);
    if (common() % 2 == 0) messages.emplace_back(round, int(common() % 3000));
    if (own() % 16 == 0) usleep(own() % 300);
  }
  for (int i = 0; i < under_way; ++i) {  // in an order of its own
    MPI_Request requests[kMostUnderWay];
    for (int j = 0; j < under_way; ++j) {
      requests[j] = pending[j].done ? MPI_REQUEST_NULL : pending[j].request;
    }
    int done = MPI_UNDEFINED;
    if (own() % 2 == 0 && !messages.empty()) {
      messages.front().finish();
      messages.erase(messages.begin());
    }
    MPI_Waitany(under_way, requests, &done, MPI_STATUS_IGNORE);
    pending[done].done = true;
  }
  for (int i = 0; i < under_way; ++i) finish(pending[i]);
  for (Message& message : messages) message.finish();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  std::mt19937 common(seed);
  std::mt19937 own(seed + 1 + unsigned(check::rank));
  std::vector<Place> places = make_places();
  const int rounds = check::size <= 4 ? 150 : check::size <= 8 ? 60 : 15;
  for (int round = 0; round < rounds; ++round) {
    check::set_case("SEED=%u, round %d", seed, round);
    storm(places, common, own, round);
  }
  for (std::size_t i = 1; i < places.size(); ++i) MPI_Comm_free(&places[i].comm);
  return check::finish();
}
