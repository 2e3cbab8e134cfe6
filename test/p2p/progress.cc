// A rank whose calls never wait nevertheless progresses the operations that it has started and
// that others wait for (MPI 5.0, 2.4.2 and 3.5). Rank 0 makes such calls until the last rank,
// which needs one of these operations, reports outside MPI that it has completed: with a library
// that does not progress it, the test hangs and the watchdog ends it.
#include <atomic>
#include <vector>

#include "test/check.h"
#include "test/page.h"

namespace {

constexpr int kTrip = 1;
constexpr int kNeed = 2;
constexpr int kAside = 3;
constexpr int kLarge = 1 << 20;  // ints

struct Page {
  std::atomic<int> served;  // scenes whose need is satisfied; written by the last rank
};
Page* page = nullptr;
int scene_number = 0;

// Pairs with the store in play().
bool met() { return page->served.load(std::memory_order_acquire) >= scene_number; }

int needy() { return check::size - 1; }
MPI_Comm pair = MPI_COMM_NULL;      // rank 0 and the last rank
MPI_Comm partners = MPI_COMM_NULL;  // ranks 0 and 1, if neither is the last rank

// --- what the last rank needs of rank 0 ---

struct Need {
  const char* name;
  MPI_Request (*begin)(std::vector<int>& data);  // rank 0
  void (*get)(std::vector<int>& data);           // the last rank; returns when it is complete
};

MPI_Request receive(std::vector<int>& data) {
  MPI_Request request;
  MPI_Irecv(data.data(), kLarge, MPI_INT, needy(), kNeed, MPI_COMM_WORLD, &request);
  return request;
}
MPI_Request send(std::vector<int>& data) {
  MPI_Request request;
  MPI_Isend(data.data(), kLarge, MPI_INT, needy(), kNeed, MPI_COMM_WORLD, &request);
  return request;
}
MPI_Request allreduce(std::vector<int>& data) {
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, data.data(), kLarge, MPI_INT, MPI_MAX, pair, &request);
  return request;
}

constexpr Need kNeeds[] = {
    {"a synchronous send", receive,
     [](std::vector<int>& data) { MPI_Ssend(data.data(), 1, MPI_INT, 0, kNeed, MPI_COMM_WORLD); }},
    {"a large send", receive,
     [](std::vector<int>& data) {
       MPI_Send(data.data(), kLarge, MPI_INT, 0, kNeed, MPI_COMM_WORLD);
     }},
    {"a large receive", send,
     [](std::vector<int>& data) {
       MPI_Recv(data.data(), kLarge, MPI_INT, 0, kNeed, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
     }},
    {"a collective", allreduce,
     [](std::vector<int>& data) {
       MPI_Request request = allreduce(data);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
};

// --- what rank 0 does meanwhile ---

struct Business {
  const char* name;
  void (*call)();  // until met()
};

template <class Calls>
void until_met(Calls calls) {
  while (!met()) calls();
}

void message_to_itself(MPI_Request* request) {
  MPI_Isend(&check::rank, 1, MPI_INT, 0, kTrip, MPI_COMM_WORLD, request);
}

void receive_own(int source, int tag) {
  int value = -1;
  MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(value, 0);
}

void send_and_receive() {
  MPI_Send(&check::rank, 1, MPI_INT, 0, kTrip, MPI_COMM_WORLD);
  receive_own(0, kTrip);
}

void send_and_receive_any() {
  MPI_Send(&check::rank, 1, MPI_INT, 0, kTrip, MPI_COMM_WORLD);
  receive_own(MPI_ANY_SOURCE, kTrip);
}

void isend_recv_wait() {
  MPI_Request request;
  message_to_itself(&request);
  receive_own(0, kTrip);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// An unexpected message is probed repeatedly.
template <class Look>
void until_met_with_message(Look look) {
  MPI_Send(&check::rank, 1, MPI_INT, 0, kAside, MPI_COMM_WORLD);
  until_met(look);
  receive_own(0, kAside);
}

// A complete request is tested repeatedly.
void ask_complete_request() {
  MPI_Request request;
  MPI_Isend(&check::rank, 1, MPI_INT, MPI_PROC_NULL, kTrip, MPI_COMM_WORLD, &request);
  until_met([&] {
    int flag = 0;
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    CHECK(flag);
  });
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void test_nothing() {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int flag = 0;
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
}

constexpr Business kAlone[] = {
    {"sends and receives", [] { until_met(send_and_receive); }},
    {"sends and receives of any source", [] { until_met(send_and_receive_any); }},
    {"non-blocking sends", [] { until_met(isend_recv_wait); }},
    {"MPI_Iprobe",
     [] {
       until_met_with_message([] {
         int flag = 0;
         MPI_Iprobe(0, kAside, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
       });
     }},
    {"MPI_Probe",
     [] {
       until_met_with_message([] { MPI_Probe(0, kAside, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
     }},
    {"MPI_Request_get_status", ask_complete_request},
    {"MPI_Test of nothing", [] { until_met(test_nothing); }},
    {"MPI_Barrier alone", [] { until_met([] { MPI_Barrier(MPI_COMM_SELF); }); }},
};

// Ranks 0 and 1 communicate until rank 0 says that the need is satisfied.
struct Joint {
  const char* name;
  bool (*step)(bool last);  // both return rank 0's `last`
};

bool ping_pong(bool last) {
  int value = last;
  if (check::rank == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, kTrip, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, kTrip, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, kTrip, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, kTrip, MPI_COMM_WORLD);
  }
  return value != 0;
}

bool allreduce_loop(bool last) {
  int mine = check::rank == 0 && last, any = 0;
  MPI_Barrier(partners);
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, partners);
  return any != 0;
}

constexpr Joint kJoint[] = {
    {"ping-pong", ping_pong},
    {"barriers and reductions", allreduce_loop},
};

template <class Busy>
void play(const Need& need, const char* business, Busy busy) {
  check::set_case("%s, beside %s", need.name, business);
  ++scene_number;
  std::vector<int> data(kLarge, check::rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (check::rank == needy()) {
    need.get(data);
    page->served.store(scene_number, std::memory_order_release);  // pairs with met()
  } else if (check::rank == 0) {
    MPI_Request request = need.begin(data);
    busy();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (check::rank == 1) {
    busy();
  }
  check::passed();
}

void joint(const Joint& business) {
  while (!business.step(met())) {
  }
}

MPI_Comm comm_of(bool member) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, check::rank, &made);
  return made;
}

void free(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  page = &check::map_page<Page>();
  pair = comm_of(check::rank == 0 || check::rank == needy());
  partners = comm_of(check::rank < 2);
  for (const Need& need : kNeeds) {
    for (const Business& business : kAlone) {
      play(need, business.name, [&] {
        if (check::rank == 0) business.call();
      });
    }
    for (const Joint& business : kJoint) {
      if (check::size > 2) play(need, business.name, [&] { joint(business); });
    }
  }
  free(pair);
  free(partners);
  return check::finish();
}
