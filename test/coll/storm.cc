// Collectives of all kinds under way at once, on several communicators, one of them between
// two groups and one a ring of neighbours, with point-to-point messages between them and
// ranks that come late. Persistent ones are started again in whatever order.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "test/coll/places.h"
#include "test/coll/under_way.h"
#include "test/seed.h"

namespace {

using namespace coll;

constexpr int kMostUnderWay = 12;

// To the next rank and from the one before, by the same tags as others of the same round.
class Message {
 public:
  Message(int round, int count) : round_(round), out_(count), in_(count, -1) {
    for (int i = 0; i < count; ++i) out_[i] = mark(round, check::rank, i);
    const int next = (check::rank + 1) % check::size;
    MPI_Irecv(in_.data(), count, MPI_INT, before(), round % 3, MPI_COMM_WORLD, &requests_[0]);
    MPI_Isend(out_.data(), count, MPI_INT, next, round % 3, MPI_COMM_WORLD, &requests_[1]);
  }
  void finish() {
    MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (in_[i] != mark(round_, before(), int(i))) CHECK_EQ(in_[i], mark(round_, before(), i));
    }
    CHECK(true);
  }

 private:
  static int before() { return (check::rank + check::size - 1) % check::size; }

  int round_;
  std::vector<int> out_, in_;
  MPI_Request requests_[2];
};

// The ring is the last one.
std::vector<Place> all_places() {
  std::vector<Place> places = make_places();
  MPI_Comm twin, ring;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &check::size, &periodic, 0, &ring);
  places.push_back(place_of(twin));
  places.push_back(place_of(ring));
  return places;
}

// What all draw alike.
void begin(UnderWay& one, const std::vector<Place>& places, std::mt19937& common, int operation) {
  const Place& at = places[common() % places.size()];
  if (at.inter && !check::on_atoll()) return begin(one, places, common, operation);  // see forms.h
  // MPICH 4.0 mixes up what goes twice between the same two.
  const bool ring = &at == &places.back() && (check::on_atoll() || at.size > 2);
  const unsigned kinds = ring ? kKindsOnRings : at.inter ? kKindsBetweenGroups : kKinds;
  const auto kind = Kind(common() % kinds);
  const int count = int(common() % 5 == 0 ? common() % 20000 : common() % 50);
  const Root root = Root::draw(unsigned(common()), at);
  one.begin(at, kind, operation, count, root,
            common() % 4 == 0 ? Form::persistent : Form::nonblocking);
}

using Storm = std::vector<std::unique_ptr<UnderWay>>;

// In whatever order they come to an end; `messages` in between.
void finish(Storm& storm, std::vector<Message>& messages, std::mt19937& own) {
  std::vector<MPI_Request> requests;
  for (const auto& one : storm) requests.push_back(one->request());
  for (std::size_t left = storm.size(); left > 0; --left) {
    if (own() % 2 == 0 && !messages.empty()) {
      messages.front().finish();
      messages.erase(messages.begin());
    }
    int done = MPI_UNDEFINED;
    MPI_Waitany(int(requests.size()), requests.data(), &done, MPI_STATUS_IGNORE);
    requests[done] = MPI_REQUEST_NULL;
    storm[done]->verify();
  }
}

// `common`: the same numbers everywhere; `own`: of this rank alone.
void run(const std::vector<Place>& places, std::mt19937& common, std::mt19937& own, int round) {
  Storm storm;
  std::vector<Message> messages;
  const int under_way = 1 + int(common() % kMostUnderWay);
  messages.reserve(kMostUnderWay);
  if (own() % 4 == 0) usleep(own() % 2000);  // late
  for (int i = 0; i < under_way; ++i) {
    storm.push_back(std::make_unique<UnderWay>());
    begin(*storm.back(), places, common, round * kMostUnderWay + i);
    if (common() % 2 == 0) messages.emplace_back(round, int(common() % 3000));
    if (own() % 16 == 0) usleep(own() % 300);
  }
  finish(storm, messages, own);
  for (Message& message : messages) message.finish();
  messages.clear();

  if (!check::on_atoll()) return;  // MPICH 4.0 can start a persistent collective only once
  std::erase_if(storm, [](const auto& one) { return !one->persistent(); });
  std::ranges::shuffle(storm, own);
  for (const auto& one : storm) one->start_again();
  finish(storm, messages, own);
  for (const auto& one : storm) one->free();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  std::mt19937 common(seed);
  std::mt19937 own(seed + 1 + unsigned(check::rank));
  std::vector<Place> places = all_places();
  const int rounds = check::size <= 4 ? 150 : check::size <= 9 ? 60 : 15;
  for (int round = 0; round < rounds; ++round) {
    check::set_case("SEED=%u, round %d", seed, round);
    run(places, common, own, round);
  }
  free_places(places);
  return check::finish();
}
