// Bad arguments to everything that sends.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Arguments;
using errors::Bad;
using errors::Untouched;

// The plain calls take an int, the large ones an MPI_Count.
template <class Count>
struct Blocking {
  const char* name;
  int (*call)(const void*, Count, MPI_Datatype, int, int, MPI_Comm);
};
template <class Count>
struct Starting {
  const char* name;
  int (*call)(const void*, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
};

#define NAMED(call) \
  { #call, call }

const std::vector<Blocking<int>> kBlocking = {NAMED(MPI_Send), NAMED(MPI_Bsend), NAMED(MPI_Ssend),
                                              NAMED(MPI_Rsend)};
const std::vector<Blocking<MPI_Count>> kLargeBlocking = {NAMED(MPI_Send_c), NAMED(MPI_Bsend_c),
                                                         NAMED(MPI_Ssend_c), NAMED(MPI_Rsend_c)};
const std::vector<Starting<int>> kStarting = {
    NAMED(MPI_Isend),     NAMED(MPI_Ibsend),     NAMED(MPI_Issend),     NAMED(MPI_Irsend),
    NAMED(MPI_Send_init), NAMED(MPI_Bsend_init), NAMED(MPI_Ssend_init), NAMED(MPI_Rsend_init)};
const std::vector<Starting<MPI_Count>> kLargeStarting = {
    NAMED(MPI_Isend_c),      NAMED(MPI_Ibsend_c),    NAMED(MPI_Issend_c),
    NAMED(MPI_Irsend_c),     NAMED(MPI_Send_init_c), NAMED(MPI_Bsend_init_c),
    NAMED(MPI_Ssend_init_c), NAMED(MPI_Rsend_init_c)};

template <class Count>
void blocking(const Blocking<Count>& send, const std::vector<Bad>& list) {
  for (const Bad& bad : list) {
    const Arguments& with = bad.arguments;
    EXPECT_ERROR_OF(send.name, bad.error_class, bad.argument, bad.value,
                    send.call(with.buf, with.count, with.type, with.peer, with.tag, with.comm));
  }
}

template <class Count>
void starting(const Starting<Count>& send, const std::vector<Bad>& list, const Arguments& good) {
  for (const Bad& bad : list) {
    const Arguments& with = bad.arguments;
    Untouched<MPI_Request> request;
    EXPECT_ERROR_OF(
        send.name, bad.error_class, bad.argument, bad.value,
        send.call(with.buf, with.count, with.type, with.peer, with.tag, with.comm, &request));
  }
  EXPECT_ERROR_OF(
      send.name, MPI_ERR_ARG, "request", "",
      send.call(good.buf, good.count, good.type, good.peer, good.tag, good.comm, nullptr));
}

// A ready send that finds no receive (MPI 5.0, 3.4): the receive that meets it
// says so, and has its data.
void ready_too_early(int count) {
  if (!check::on_atoll()) return;  // the standard does not ask for it
  std::vector<int> sent(count, 7);
  std::vector<int> received(count, 0);
  MPI_Request request;
  MPI_Irsend(sent.data(), count, MPI_INT, check::rank, 11, MPI_COMM_WORLD, &request);
  int here = 0;
  while (!here) MPI_Iprobe(check::rank, 11, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
  EXPECT_ERROR(MPI_ERR_OTHER, "tag", "11",
               MPI_Recv(received.data(), count, MPI_INT, check::rank, 11, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(received == sent);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  std::vector<char> attached(1000 + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));

  int data = 5;
  const Arguments good{&data, 1, MPI_INT, (check::rank + 1) % check::size, 3, MPI_COMM_WORLD};
  errors::Names names;
  names.peer = "dest";
  const std::vector<Bad> list = errors::bad_arguments(good, names, errors::Direction::send);
  for (const auto& send : kBlocking) blocking(send, list);
  for (const auto& send : kLargeBlocking) blocking(send, list);
  for (const auto& send : kStarting) starting(send, list, good);
  for (const auto& send : kLargeStarting) starting(send, list, good);
  for (const int count : {1, 1000, 1000000}) ready_too_early(count);
  errors::check_all_is_well();

  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  return check::finish();
}
