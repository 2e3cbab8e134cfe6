// Many communicators of every kind over the same ranks, full of messages, all
// received with wildcards, while others are made and freed: what is sent in one
// is never seen in another.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"
#include "test/pattern.h"

namespace {

// A message says in which communicator it was sent, from whom, and its number.
struct Message {
  int comm;
  int source;
  int number;
  int padding[29];  // some do not fit into one line
};

struct Channel {
  MPI_Comm comm = MPI_COMM_NULL;
  int id = 0;
  int rank = -1;
  int peers = 0;
  std::vector<int> sent = {}, received = {};  // by peer
};

constexpr int kMessages = 12;  // to each peer in each communicator

void add(std::vector<Channel>& channels, MPI_Comm comm, int id) {
  if (comm == MPI_COMM_NULL) return;
  Channel channel{.comm = comm, .id = id};
  MPI_Comm_rank(comm, &channel.rank);
  if (comms::is_inter(comm)) {
    MPI_Comm_remote_size(comm, &channel.peers);
  } else {
    MPI_Comm_size(comm, &channel.peers);
  }
  channel.sent.resize(channel.peers);
  channel.received.resize(channel.peers);
  channels.push_back(channel);
}

std::vector<Channel> make_channels() {
  std::vector<Channel> channels;
  MPI_Comm comm, half = MPI_COMM_NULL;
  int id = 0;
  for (int i = 0; i < 3; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    add(channels, comm, ++id);
  }
  for (int parts = 1; parts <= 3; ++parts) {
    MPI_Comm_split(MPI_COMM_WORLD, check::rank % parts, -check::rank, &comm);
    add(channels, comm, ++id);
    if (parts == 2) half = comm;
  }
  if (check::size > 1) {
    // Rank 0 is the last of the even ones; the first of both are the highest.
    const int odd = check::rank % 2;
    const int highest = check::size - 1, next = check::size - 2;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, highest % 2 == odd ? next : highest, 1, &comm);
    add(channels, comm, ++id);
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    add(channels, copy, ++id);
    MPI_Intercomm_merge(comm, odd, &copy);
    add(channels, copy, ++id);
  }
  return channels;
}

class Storm {
 public:
  Storm(std::vector<Channel>& channels, std::uint64_t seed) : channels_(channels), random_(seed) {
    for (const Channel& channel : channels_) left_ += 2 * kMessages * channel.peers;
  }

  void run() {
    while (left_ > 0) {
      Channel& channel = channels_[random_.below(channels_.size())];
      if (random_.one_in(2)) {
        send(channel, int(random_.below(channel.peers)));
      } else {
        receive(channel);
      }
    }
    MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  void send(Channel& channel, int peer) {
    if (channel.sent[peer] == kMessages) return;
    auto message = std::make_unique<Message>();
    *message = {channel.id, channel.rank, channel.sent[peer]++, {}};
    requests_.push_back(MPI_REQUEST_NULL);
    const int ints = random_.one_in(2) ? 3 : int(sizeof(Message) / sizeof(int));
    MPI_Isend(message.get(), ints, MPI_INT, peer, int(random_.below(5)), channel.comm,
              &requests_.back());
    messages_.push_back(std::move(message));
    --left_;
  }

  void receive(Channel& channel) {
    int flag = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, channel.comm, &flag, &status);
    if (!flag) return;
    Message message;
    MPI_Recv(&message, sizeof message / sizeof(int), MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
             channel.comm, &status);
    CHECK_EQ(message.comm, channel.id);
    CHECK_EQ(message.source, status.MPI_SOURCE);
    CHECK_EQ(message.number, channel.received.at(status.MPI_SOURCE)++);
    --left_;
  }

  std::vector<Channel>& channels_;
  check::Random random_;
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<MPI_Request> requests_;
  long left_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int round = 0; round < 3; ++round) {
    check::set_case("storm %d", round);
    std::vector<Channel> channels = make_channels();
    Storm(channels, 1000 * round + check::rank).run();
    // In another order than they were made.
    for (std::size_t i = 1; i < channels.size(); i += 2) MPI_Comm_free(&channels[i].comm);
    for (std::size_t i = 0; i < channels.size(); i += 2) MPI_Comm_free(&channels[i].comm);
  }
  return check::finish();
}
