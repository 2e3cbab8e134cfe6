// A message longer than the receive buffer: MPI_ERR_TRUNCATE, the bytes behind the buffer do not
// change, the sender succeeds, and the following messages are correct.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using check::Buffer;

constexpr int kData = 1;
constexpr int kNext = 2;
constexpr int kToken = 3;

MPI_Comm comm = MPI_COMM_NULL;

enum class How { recv, irecv, sendrecv, mrecv, imrecv, persistent };
constexpr How kHows[] = {How::recv,  How::irecv,  How::sendrecv,
                         How::mrecv, How::imrecv, How::persistent};
constexpr const char* kHowNames[] = {"MPI_Recv",  "MPI_Irecv",  "MPI_Sendrecv",
                                     "MPI_Mrecv", "MPI_Imrecv", "MPI_Recv_init"};

struct Variant {
  How how;
  bool posted;
  int sent;  // bytes
  int room;  // bytes, fewer
};

// Bytes of the small message that follows each long one.
constexpr int kNextBytes = 24;

void send_side(const Variant& variant, int peer) {
  std::vector<char> data(variant.sent);
  check::fill(data.data(), data.size(), variant.sent);
  char next[kNextBytes];
  check::fill(next, sizeof next, variant.room);
  if (variant.posted) MPI_Recv(nullptr, 0, MPI_BYTE, peer, kToken, comm, MPI_STATUS_IGNORE);
  const auto call = variant.sent % 2 ? MPI_Ssend : MPI_Send;
  CHECK_EQ(call(data.data(), variant.sent, MPI_BYTE, peer, kData, comm), MPI_SUCCESS);
  CHECK_EQ(MPI_Send(next, kNextBytes, MPI_BYTE, peer, kNext, comm), MPI_SUCCESS);
}

void send_token(int peer) { MPI_Send(nullptr, 0, MPI_BYTE, peer, kToken, comm); }

int wait_posted(const Variant& variant, MPI_Request* request, int peer, MPI_Status* status) {
  if (variant.posted) send_token(peer);
  const int code = MPI_Wait(request, status);
  if (variant.how == How::persistent) MPI_Request_free(request);
  CHECK(*request == MPI_REQUEST_NULL);
  return code;
}

int receive(const Variant& variant, void* room, int peer, MPI_Status* status) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  switch (variant.how) {
    case How::recv: return MPI_Recv(room, variant.room, MPI_BYTE, peer, kData, comm, status);
    case How::irecv:
      MPI_Irecv(room, variant.room, MPI_BYTE, peer, kData, comm, &request);
      return wait_posted(variant, &request, peer, status);
    case How::persistent:
      MPI_Recv_init(room, variant.room, MPI_BYTE, peer, kData, comm, &request);
      MPI_Start(&request);
      return wait_posted(variant, &request, peer, status);
    case How::sendrecv:
      return MPI_Sendrecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, kToken, room, variant.room, MPI_BYTE,
                          MPI_ANY_SOURCE, kData, comm, status);
    case How::mrecv:
      MPI_Mprobe(peer, kData, comm, &message, MPI_STATUS_IGNORE);
      return MPI_Mrecv(room, variant.room, MPI_BYTE, &message, status);
    case How::imrecv:
      MPI_Mprobe(peer, kData, comm, &message, MPI_STATUS_IGNORE);
      MPI_Imrecv(room, variant.room, MPI_BYTE, &message, &request);
      return wait_posted(variant, &request, peer, status);
  }
  return MPI_SUCCESS;
}

// Atoll's own addition: the error text has the call's name and the arguments of both sides.
void check_text(int code, const Variant& variant, int peer) {
  if (!check::on_atoll()) return;
  const std::string message = check::error_text(code);
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  MPI_Comm_get_name(comm, name, &length);
  const std::string sender = "rank " + std::to_string(peer) + ", tag " + std::to_string(kData);
  const std::string receiver =
      variant.how == How::sendrecv ? "any source, tag " + std::to_string(kData) : sender;
  CHECK(message.find("MPI_") == 0);
  CHECK_EQ(message.substr(message.find(": the message") + 2),
           "the message from " + sender + " in " + name + " has " + std::to_string(variant.sent) +
               " bytes, the receive from " + receiver + " in " + name + " has room for " +
               std::to_string(variant.room));
}

void receive_side(const Variant& variant, int peer) {
  Buffer room(variant.sent);
  MPI_Status status;
  if (!variant.posted) MPI_Probe(peer, kData, comm, MPI_STATUS_IGNORE);
  const int code = receive(variant, room.data(), peer, &status);
  CHECK_EQ(check::error_class(code), MPI_ERR_TRUNCATE);
  CHECK(room.guards_intact(variant.room));
  CHECK_EQ(status.MPI_SOURCE, peer);
  CHECK_EQ(status.MPI_TAG, kData);
  check_text(code, variant, peer);

  char next[kNextBytes];
  CHECK_EQ(MPI_Recv(next, kNextBytes, MPI_BYTE, peer, kNext, comm, &status), MPI_SUCCESS);
  CHECK_PATTERN(next, kNextBytes, variant.room);
}

void run(const Variant& variant) {
  check::set_case("%s, %s, %d bytes into %d", kHowNames[int(variant.how)],
                  variant.posted ? "posted" : "unexpected", variant.sent, variant.room);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return;
  for (int turn = 0; turn < 2; ++turn) {
    if ((check::rank & 1) == turn) {
      send_side(variant, peer);
    } else {
      receive_side(variant, peer);
    }
  }
}

// In a list of requests only the truncated one fails, and each status has its own error.
void among_others(int bytes) {
  check::set_case("MPI_Waitall, %d bytes", bytes);
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  std::vector<char> out(bytes, 'x');
  Buffer full(bytes), half(bytes), more(bytes);
  MPI_Request requests[6];
  MPI_Irecv(full.data(), bytes, MPI_BYTE, left, 1, comm, &requests[0]);
  MPI_Irecv(half.data(), bytes / 2, MPI_BYTE, left, 2, comm, &requests[1]);
  MPI_Irecv(more.data(), bytes, MPI_BYTE, left, 3, comm, &requests[2]);
  for (int tag = 1; tag <= 3; ++tag) {
    MPI_Isend(out.data(), bytes, MPI_BYTE, right, tag, comm, &requests[2 + tag]);
  }
  MPI_Status statuses[6];
  const int code = MPI_Waitall(6, requests, statuses);
  CHECK_EQ(check::error_class(code), MPI_ERR_IN_STATUS);
  CHECK_EQ(check::error_class(statuses[1].MPI_ERROR), MPI_ERR_TRUNCATE);
  CHECK(half.guards_intact(bytes / 2));
  for (int i : {0, 2, 3, 4, 5}) {
    // The standard lets the call return while other requests are pending.
    const int error = check::error_class(statuses[i].MPI_ERROR);
    if (error == MPI_ERR_PENDING) MPI_Wait(&requests[i], &statuses[i]);
    CHECK(error == MPI_SUCCESS || error == MPI_ERR_PENDING);
  }
  for (MPI_Request request : requests) CHECK(request == MPI_REQUEST_NULL);
  CHECK(std::memcmp(full.data(), out.data(), bytes) == 0);
  CHECK(std::memcmp(more.data(), out.data(), bytes) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // inherits the error handler
  MPI_Comm_set_name(comm, "narrow");
  const int pairs[][2] = {{1, 0},
                          {8, 4},
                          {41, 40},
                          {64, 40},
                          {65, 64},
                          {1000, 999},
                          {4097, 4096},
                          {16384, 1},
                          {65537, 4096},
                          {262144, 262143},
                          {1 << 20, 100000},
                          {1 << 20, 0},
                          {8 << 20, 7 << 20}};
  for (How how : kHows) {
    for (const auto& [sent, room] : pairs) {
      if (sent > check::largest_size(check::size)) continue;
      const bool can_be_posted = how == How::irecv || how == How::persistent;
      if (can_be_posted) run({how, true, sent, room});
      run({how, false, sent, room});
    }
  }
  MPI_Barrier(comm);  // rank 0 may still receive from any source
  for (int bytes : {8, 64, 1000, 30000, 300000}) among_others(bytes);
  MPI_Comm_free(&comm);
  return check::finish();
}
