// A storm of messages, reproducible by its seed: "storm [SEED [ROUNDS]]".
//
// Every rank draws the same plan: who sends what to whom, in which communicator, with which tag,
// size and mode. Senders start their part at random moments; receivers receive theirs in random
// ways. What arrives is compared with the plan byte for byte, and at the end the checksums of all
// data sent and received must agree.
#include <cstdlib>
#include <vector>

#include "test/p2p/storm/receiver.h"
#include "test/p2p/storm/sender.h"

namespace {

struct Sums {
  unsigned long long sent = 0;
  unsigned long long received = 0;
};

// `choices` differ between ranks: when to start, how to receive.
Sums run_round(const storm::Plan& plan, const std::vector<MPI_Comm>& comms,
               check::Random& choices) {
  storm::Receiver receiver(plan, comms);
  storm::Sender sender(plan, comms);
  MPI_Barrier(MPI_COMM_WORLD);  // the receives of ready messages are posted
  while (!sender.all_started() || !receiver.done()) {
    if (!sender.all_started() && choices.one_in(2)) sender.start_next();
    if (choices.one_in(4)) sender.reap(false);
    receiver.step(choices, sender.all_started());
  }
  sender.reap(true);
  return {sender.checksum(), receiver.checksum()};
}

void check_sums(const Sums& mine) {
  if (check::rank > 0) {
    MPI_Send(&mine, 2, MPI_UNSIGNED_LONG_LONG, 0, 0, MPI_COMM_WORLD);
    return;
  }
  Sums total = mine;
  for (int source = 1; source < check::size; ++source) {
    Sums part;
    MPI_Recv(&part, 2, MPI_UNSIGNED_LONG_LONG, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    total.sent += part.sent;
    total.received += part.received;
  }
  check::set_case("checksums of everything");
  CHECK_EQ(total.sent, total.received);
}

void check_nothing_left(const std::vector<MPI_Comm>& comms) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (MPI_Comm comm : comms) {
    int flag = -1;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    CHECK_EQ(flag, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned long long seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 24 / (check::size < 2 ? 2 : check::size);
  if (check::rank == 0) std::printf("storm of seed %llu, %d rounds\n", seed, rounds);

  std::vector<MPI_Comm> comms(storm::kCommunicators);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<char> attached(storm::kMessagesEach * (storm::kLargestBuffered + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(attached.data(), int(attached.size()));

  check::Random plans(seed);
  check::Random choices(seed * 1000 + check::rank);
  Sums sums;
  for (int round = 0; round < rounds; ++round) {
    const Sums more = run_round(storm::draw_plan(plans), comms, choices);
    sums.sent += more.sent;
    sums.received += more.received;
  }
  check_sums(sums);
  check_nothing_left(comms);

  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return check::finish();
}
