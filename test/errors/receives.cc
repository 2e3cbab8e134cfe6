// Bad arguments to everything that receives or probes.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Arguments;
using errors::Bad;
using errors::Untouched;

#define NAMED(call) \
  { #call, call }

template <class Count>
struct Receiving {
  const char* name;
  int (*call)(void*, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*);
};
template <class Count>
struct Posting {
  const char* name;
  int (*call)(void*, Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
};

template <class Count>
void receiving(const Receiving<Count>& receive, const std::vector<Bad>& list) {
  for (const Bad& bad : list) {
    const Arguments& with = bad.arguments;
    Untouched<MPI_Status> status;
    EXPECT_ERROR_OF(
        receive.name, bad.error_class, bad.argument, bad.value,
        receive.call(with.buf, with.count, with.type, with.peer, with.tag, with.comm, &status));
  }
}

template <class Count>
void posting(const Posting<Count>& receive, const std::vector<Bad>& list, const Arguments& good) {
  for (const Bad& bad : list) {
    const Arguments& with = bad.arguments;
    Untouched<MPI_Request> request;
    EXPECT_ERROR_OF(
        receive.name, bad.error_class, bad.argument, bad.value,
        receive.call(with.buf, with.count, with.type, with.peer, with.tag, with.comm, &request));
  }
  EXPECT_ERROR_OF(
      receive.name, MPI_ERR_ARG, "request", "",
      receive.call(good.buf, good.count, good.type, good.peer, good.tag, good.comm, nullptr));
}

bool concerns_envelope(const Bad& bad) {
  return bad.error_class == MPI_ERR_COMM || bad.error_class == MPI_ERR_RANK ||
         bad.error_class == MPI_ERR_TAG;
}

void probing(const std::vector<Bad>& list) {
  for (const Bad& bad : list) {
    if (!concerns_envelope(bad)) continue;
    const auto& [buf, count, type, source, tag, comm] = bad.arguments;
    const auto& [arguments, error_class, argument, value] = bad;
    Untouched<MPI_Status> status;
    Untouched<MPI_Message> message;
    Untouched<int> flag;
    EXPECT_ERROR(error_class, argument, value, MPI_Probe(source, tag, comm, &status));
    EXPECT_ERROR(error_class, argument, value, MPI_Iprobe(source, tag, comm, &flag, &status));
    EXPECT_ERROR(error_class, argument, value, MPI_Mprobe(source, tag, comm, &message, &status));
    EXPECT_ERROR(error_class, argument, value,
                 MPI_Improbe(source, tag, comm, &flag, &message, &status));
  }
  Untouched<MPI_Status> status;
  Untouched<MPI_Message> message;
  Untouched<int> flag;
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Iprobe(0, 1, MPI_COMM_WORLD, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "message", "", MPI_Mprobe(0, 1, MPI_COMM_WORLD, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "message", "",
               MPI_Improbe(0, 1, MPI_COMM_WORLD, &flag, nullptr, &status));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "",
               MPI_Improbe(0, 1, MPI_COMM_WORLD, nullptr, &message, &status));
}

// A bad argument leaves the matched message where it is: it can still be received.
void matched() {
  int out = 77, in = -1;
  MPI_Request send;
  MPI_Isend(&out, 1, MPI_INT, check::rank, 2, MPI_COMM_WORLD, &send);
  MPI_Message message;
  MPI_Mprobe(check::rank, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  {
    const MPI_Message before = message;
    Untouched<MPI_Status> status;
    Untouched<MPI_Request> request;
    EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Mrecv(&in, -1, MPI_INT, &message, &status));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Mrecv_c(&in, -1, MPI_INT, &message, &status));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Imrecv(&in, -1, MPI_INT, &message, &request));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Imrecv_c(&in, -1, MPI_INT, &message, &request));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
                 MPI_Mrecv(&in, 1, MPI_DATATYPE_NULL, &message, &status));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
                 MPI_Imrecv(&in, 1, MPI_DATATYPE_NULL, &message, &request));
    EXPECT_ERROR(MPI_ERR_BUFFER, "buf", "", MPI_Mrecv(nullptr, 1, MPI_INT, &message, &status));
    EXPECT_ERROR(MPI_ERR_BUFFER, "buf", "", MPI_Imrecv(nullptr, 1, MPI_INT, &message, &request));
    EXPECT_ERROR(MPI_ERR_ARG, "message", "", MPI_Mrecv(&in, 1, MPI_INT, nullptr, &status));
    EXPECT_ERROR(MPI_ERR_ARG, "message", "", MPI_Imrecv(&in, 1, MPI_INT, nullptr, &request));
    EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Imrecv(&in, 1, MPI_INT, &message, nullptr));
    MPI_Message none = MPI_MESSAGE_NULL;
    EXPECT_ERROR(MPI_ERR_REQUEST, "message", "", MPI_Mrecv(&in, 1, MPI_INT, &none, &status));
    EXPECT_ERROR(MPI_ERR_REQUEST, "message", "", MPI_Imrecv(&in, 1, MPI_INT, &none, &request));
    CHECK(message == before);
    CHECK_EQ(in, -1);
  }
  MPI_Message used = message;
  CHECK_EQ(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(in, 77);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  if (!check::on_atoll()) return;
  EXPECT_ERROR(MPI_ERR_REQUEST, "message", "",
               MPI_Mrecv(&in, 1, MPI_INT, &used, MPI_STATUS_IGNORE));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  {
    Untouched<int> data;
    const Arguments good{&data, 1, MPI_INT, check::rank, 3, MPI_COMM_WORLD};
    errors::Names names;
    names.peer = "source";
    const std::vector<Bad> list = errors::bad_arguments(good, names, errors::Direction::receive);
    receiving(Receiving<int> NAMED(MPI_Recv), list);
    receiving(Receiving<MPI_Count> NAMED(MPI_Recv_c), list);
    posting(Posting<int> NAMED(MPI_Irecv), list, good);
    posting(Posting<MPI_Count> NAMED(MPI_Irecv_c), list, good);
    posting(Posting<int> NAMED(MPI_Recv_init), list, good);
    posting(Posting<MPI_Count> NAMED(MPI_Recv_init_c), list, good);
    probing(list);
  }
  matched();
  errors::check_all_is_well();
  return check::finish();
}
