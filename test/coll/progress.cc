// A collective that was begun goes on in whatever call of MPI waits or asks, about other
// things too: while rank 0 only calls that, the others finish theirs, which need its part.
#include <functional>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kCount = 200000;  // of many steps
constexpr int kTag = 7;

MPI_Comm others = MPI_COMM_NULL;  // has all ranks, as the world; here go the messages

using Ints = std::vector<int>;

struct Collective {
  const char* name;
  void (*begin)(Ints& out, Ints& in, MPI_Request* request);
  int result;  // the last one, when each rank gives its number, counted from 1
};

// All ranks need rank 0: as a member of a tree, or for what it gives.
std::vector<Collective> collectives() {
  const int all = check::size * (check::size + 1) / 2;
  const int before = (check::rank + 1) * (check::rank + 2) / 2;
  return {
      {"barrier", [](Ints&, Ints&, MPI_Request* request) { MPI_Ibarrier(MPI_COMM_WORLD, request); },
       -1},
      {"bcast",
       [](Ints& out, Ints& in, MPI_Request* request) {
         if (check::rank == check::size - 1) in = out;
         MPI_Ibcast(in.data(), kCount, MPI_INT, check::size - 1, MPI_COMM_WORLD, request);
       },
       check::size},
      {"allreduce",
       [](Ints& out, Ints& in, MPI_Request* request) {
         MPI_Iallreduce(out.data(), in.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
       },
       all},
      {"alltoall",
       [](Ints& out, Ints& in, MPI_Request* request) {
         const int each = kCount / check::size;
         in.resize(std::size_t(each) * check::size);
         MPI_Ialltoall(out.data(), each, MPI_INT, in.data(), each, MPI_INT, MPI_COMM_WORLD,
                       request);
       },
       check::size},
      {"scan",
       [](Ints& out, Ints& in, MPI_Request* request) {
         MPI_Iscan(out.data(), in.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
       },
       before},
      {"persistent allreduce",
       [](Ints& out, Ints& in, MPI_Request* request) {
         MPI_Allreduce_init(out.data(), in.data(), kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                            MPI_INFO_NULL, request);
         MPI_Start(request);
       },
       all},
  };
}

// What rank 0 calls, and what it comes to an end by: the others do that when they have
// finished the collective.
struct Call {
  const char* name;
  std::function<void()> until_done;
  void (*done)();
};

int last() { return check::size - 1; }

void tell() {
  if (check::rank == last()) MPI_Send(nullptr, 0, MPI_INT, 0, kTag, others);
}
void hear() { MPI_Recv(nullptr, 0, MPI_INT, last(), kTag, others, MPI_STATUS_IGNORE); }
void take() {
  if (check::rank == last()) MPI_Recv(nullptr, 0, MPI_INT, 0, kTag, others, MPI_STATUS_IGNORE);
}
void meet() { MPI_Barrier(others); }
void duplicate() {
  MPI_Comm made;
  MPI_Comm_dup(others, &made);
  MPI_Comm_free(&made);
}

// Asks about the receive of the message until it has come.
Call asking(const char* name, bool (*ask)(MPI_Request&)) {
  return {name,
          [=] {
            MPI_Request request;
            MPI_Irecv(nullptr, 0, MPI_INT, last(), kTag, others, &request);
            while (!ask(request)) {
            }
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          },
          tell};
}

std::vector<Call> calls() {
  return {
      {"MPI_Recv", hear, tell},
      {"MPI_Probe",
       [] {
         MPI_Probe(MPI_ANY_SOURCE, kTag, others, MPI_STATUS_IGNORE);
         hear();
       },
       tell},
      {"MPI_Iprobe",
       [] {
         for (int come = 0; !come;) MPI_Iprobe(last(), kTag, others, &come, MPI_STATUS_IGNORE);
         hear();
       },
       tell},
      {"MPI_Improbe",
       [] {
         MPI_Message message;
         for (int come = 0; !come;) {
           MPI_Improbe(last(), kTag, others, &come, &message, MPI_STATUS_IGNORE);
         }
         MPI_Mrecv(nullptr, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
       },
       tell},
      asking("MPI_Test",
             [](MPI_Request& request) {
               int done = 0;
               MPI_Test(&request, &done, MPI_STATUS_IGNORE);
               return done != 0;
             }),
      asking("MPI_Testall",
             [](MPI_Request& request) {
               int done = 0;
               MPI_Testall(1, &request, &done, MPI_STATUSES_IGNORE);
               return done != 0;
             }),
      asking("MPI_Testany",
             [](MPI_Request& request) {
               int index = 0, done = 0;
               MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
               return done != 0;
             }),
      asking("MPI_Testsome",
             [](MPI_Request& request) {
               int index = 0, done = 0;
               MPI_Testsome(1, &request, &done, &index, MPI_STATUSES_IGNORE);
               return done != 0;
             }),
      asking("MPI_Request_get_status",
             [](MPI_Request& request) {
               int done = 0;
               MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
               return done != 0;
             }),
      asking("MPI_Waitany",
             [](MPI_Request& request) {
               int index = 0;
               MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
               return true;
             }),
      {"MPI_Ssend", [] { MPI_Ssend(nullptr, 0, MPI_INT, last(), kTag, others); }, take},
      {"MPI_Barrier", meet, meet},
      {"MPI_Comm_dup", duplicate, duplicate},
  };
}

void run(const Collective& collective, const Call& call) {
  Ints out(kCount, check::rank + 1), in(kCount, -1);
  MPI_Request request;
  collective.begin(out, in, &request);
  if (check::rank == 0) call.until_done();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (check::rank != 0) call.done();
  CHECK_EQ(in.back(), collective.result);
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &others);
  for (const Collective& collective : collectives()) {
    for (const Call& call : calls()) {
      check::set_case("%s, %s", collective.name, call.name);
      run(collective, call);
    }
  }
  MPI_Comm_free(&others);
  return check::finish();
}
