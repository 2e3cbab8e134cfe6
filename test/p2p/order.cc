// Messages do not overtake: in one communicator, messages from one rank to another that may match
// the same receive match in the order sent, whatever the sizes, the modes and the times at which
// receives are posted.
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kMessages = 48;
constexpr int kTag = 3;
constexpr int kOtherTag = 4;

MPI_Comm go_comm = MPI_COMM_NULL;  // separate, as the streams are received with wildcards

// The size of a stream's i-th message, different for each i, so that even an empty message can be
// recognised.
int size_of(int i) {
  constexpr int kSizes[] = {0, 8, 100000, 40, 5000, 64, 300000, 1, 20000, 1000};
  return kSizes[i % 10] + i;
}

std::uint64_t seed_of(int sender, int tag, int i) {
  return std::uint64_t(sender) * 1000003 + std::uint64_t(tag) * 1009 + i;
}

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// A stream of messages to the right, all started at once, modes mixed.
class Stream {
 public:
  Stream(int tag, int count) {
    for (int i = 0; i < count; ++i) start(tag, i);
  }
  ~Stream() { MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

 private:
  void start(int tag, int i) {
    data_.emplace_back(size_of(i));
    check::fill(data_.back().data(), data_.back().size(), seed_of(check::rank, tag, i));
    MPI_Request request = MPI_REQUEST_NULL;
    const auto call = i % 5 == 1 ? MPI_Issend : i % 5 == 3 ? MPI_Ibsend : MPI_Isend;
    call(data_.back().data(), size_of(i), MPI_BYTE, right(), tag, MPI_COMM_WORLD, &request);
    requests_.push_back(request);
  }

  std::vector<std::vector<char>> data_;
  std::vector<MPI_Request> requests_;
};

void check_message(const char* data, const MPI_Status& status, int tag, int i) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, size_of(i));
  CHECK_EQ(status.MPI_SOURCE, left());
  CHECK_EQ(status.MPI_TAG, tag);
  CHECK_PATTERN(data, count, seed_of(left(), tag, i));
}

void receive(int source, int tag_asked, int tag_expected, int i) {
  std::vector<char> data(size_of(i) + 8);
  MPI_Status status;
  MPI_Recv(data.data(), int(data.size()), MPI_BYTE, source, tag_asked, MPI_COMM_WORLD, &status);
  check_message(data.data(), status, tag_expected, i);
}

// The go-ahead separates the left neighbour's next stream from this one.
void turn_ends() {
  MPI_Sendrecv(nullptr, 0, MPI_BYTE, left(), 0, nullptr, 0, MPI_BYTE, right(), 0, go_comm,
               MPI_STATUS_IGNORE);
}

void blocking(int source, int tag, const char* name) {
  check::set_case("blocking receives, %s", name);
  {
    Stream stream(kTag, kMessages);
    for (int i = 0; i < kMessages; ++i) receive(source, tag, kTag, i);
  }
  turn_ends();
}

// The later tag is received first; the messages of each tag are in order.
void two_tags() {
  check::set_case("two tags, the later first");
  {
    Stream first(kTag, kMessages);
    Stream second(kOtherTag, kMessages);
    for (int i = 0; i < kMessages; ++i) receive(left(), kOtherTag, kOtherTag, i);
    for (int i = 0; i < kMessages; ++i) receive(MPI_ANY_SOURCE, MPI_ANY_TAG, kTag, i);
  }
  turn_ends();
}

// Receives of every kind, posted before or after the messages: the i-th message matches the i-th
// receive, as each receive matches any message.
void posted(bool before) {
  check::set_case("mixed wildcards, posted %s", before ? "before" : "after");
  std::vector<std::vector<char>> data(kMessages);
  std::vector<MPI_Request> requests(kMessages);
  std::vector<MPI_Status> statuses(kMessages);
  const auto post = [&](int i) {
    data[i].resize(size_of(i) + 8);
    MPI_Irecv(data[i].data(), int(data[i].size()), MPI_BYTE, i % 2 ? left() : MPI_ANY_SOURCE,
              i % 3 ? kTag : MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  };
  if (before) {
    for (int i = 0; i < kMessages; ++i) post(i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  {
    Stream stream(kTag, kMessages);
    if (!before) {
      // Once the left neighbour's stream has begun, part of it is unexpected.
      MPI_Probe(left(), MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int i = 0; i < kMessages; ++i) post(i);
    }
    MPI_Waitall(kMessages, requests.data(), statuses.data());
    for (int i = 0; i < kMessages; ++i) check_message(data[i].data(), statuses[i], kTag, i);
  }
  turn_ends();
}

// A receive matches the oldest message that fits it, not the oldest of all.
void selective() {
  check::set_case("receives of alternating tags");
  std::vector<std::vector<char>> data(2 * kMessages);
  std::vector<MPI_Request> requests(2 * kMessages);
  std::vector<MPI_Status> statuses(2 * kMessages);
  {
    Stream first(kTag, kMessages);
    Stream second(kOtherTag, kMessages);
    for (int i = 0; i < 2 * kMessages; ++i) {
      data[i].resize(size_of(i / 2) + 8);
      MPI_Irecv(data[i].data(), int(data[i].size()), MPI_BYTE, left(), i % 2 ? kTag : kOtherTag,
                MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(2 * kMessages, requests.data(), statuses.data());
    for (int i = 0; i < 2 * kMessages; ++i) {
      check_message(data[i].data(), statuses[i], i % 2 ? kTag : kOtherTag, i / 2);
    }
  }
  turn_ends();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &go_comm);
  std::vector<char> attached(2 * kMessages * (20000 + kMessages + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  for (int round = 0; round < 2; ++round) {
    blocking(left(), kTag, "source and tag named");
    blocking(MPI_ANY_SOURCE, kTag, "any source");
    blocking(left(), MPI_ANY_TAG, "any tag");
    blocking(MPI_ANY_SOURCE, MPI_ANY_TAG, "any source and tag");
    two_tags();
    posted(true);
    posted(false);
    selective();
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  MPI_Comm_free(&go_comm);
  return check::finish();
}
