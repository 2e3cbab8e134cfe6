// Every send mode in every style, at sizes around every threshold, with the receive posted before
// or after the message.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

using check::Buffer;

enum class Mode { standard, buffered, synchronous, ready };
enum class Style { blocking, nonblocking, persistent };

constexpr const char* kModeNames[] = {"standard", "buffered", "synchronous", "ready"};
constexpr const char* kStyleNames[] = {"blocking", "nonblocking", "persistent"};
constexpr int kData = 7;
constexpr int kToken = 8;

struct Variant {
  Mode mode;
  Style style;
  bool posted;  // the receive is posted first
  int bytes;
};

using Blocking = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
using Starting = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
constexpr Blocking kBlocking[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
constexpr Starting kNonblocking[] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
constexpr Starting kPersistent[] = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};

void send_token(int peer) { MPI_Send(nullptr, 0, MPI_BYTE, peer, kToken, MPI_COMM_WORLD); }

void await_token(int peer) {
  MPI_Recv(nullptr, 0, MPI_BYTE, peer, kToken, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

std::uint64_t seed_of(int sender, const Variant& variant) {
  return std::uint64_t(sender) * 1000003 + unsigned(variant.bytes) + 17 * int(variant.mode);
}

void send(const Variant& variant, Buffer& data, int peer) {
  const int mode = int(variant.mode);
  if (variant.style == Style::blocking) {
    kBlocking[mode](data.data(), variant.bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD);
    return;
  }
  MPI_Request request;
  const Starting call =
      variant.style == Style::nonblocking ? kNonblocking[mode] : kPersistent[mode];
  call(data.data(), variant.bytes, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &request);
  if (variant.style == Style::persistent) MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (variant.style == Style::persistent) MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
}

void send_side(const Variant& variant, int peer) {
  Buffer data(variant.bytes);
  check::fill(data.data(), variant.bytes, seed_of(check::rank, variant));
  if (variant.posted) await_token(peer);
  send(variant, data, peer);
  // The program may overwrite the buffer now, which must not reach the receiver.
  CHECK_PATTERN(data.data(), variant.bytes, seed_of(check::rank, variant));
  std::memset(data.data(), 0x5a, variant.bytes);
}

void check_arrived(const Variant& variant, Buffer& data, const MPI_Status& status, int peer) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, variant.bytes);
  CHECK_EQ(status.MPI_SOURCE, peer);
  CHECK_EQ(status.MPI_TAG, kData);
  CHECK_PATTERN(data.data(), variant.bytes, seed_of(peer, variant));
  CHECK(data.guards_intact(variant.bytes));
}

void receive_side(const Variant& variant, int peer) {
  Buffer data(variant.bytes + 5);  // longer than the message
  MPI_Status status;
  if (variant.posted) {
    MPI_Request request;
    MPI_Irecv(data.data(), variant.bytes + 5, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &request);
    send_token(peer);
    MPI_Wait(&request, &status);
  } else {
    MPI_Probe(peer, kData, MPI_COMM_WORLD, &status);  // now it has arrived and is unexpected
    MPI_Recv(data.data(), variant.bytes + 5, MPI_BYTE, peer, kData, MPI_COMM_WORLD, &status);
  }
  check_arrived(variant, data, status, peer);
}

// The rank without a partner sends to itself.
void self(const Variant& variant) {
  Buffer out(variant.bytes), in(variant.bytes);
  check::fill(out.data(), variant.bytes, seed_of(check::rank, variant));
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(in.data(), variant.bytes, MPI_BYTE, check::rank, kData, MPI_COMM_WORLD, &request);
  send(variant, out, check::rank);
  MPI_Wait(&request, &status);
  check_arrived(variant, in, status, check::rank);
}

void run(const Variant& variant) {
  check::set_case("%s %s, %s, %d bytes", kStyleNames[int(variant.style)],
                  kModeNames[int(variant.mode)], variant.posted ? "posted" : "unexpected",
                  variant.bytes);
  const int peer = check::rank ^ 1;
  if (peer >= check::size) return self(variant);
  for (int turn = 0; turn < 2; ++turn) {
    if ((check::rank & 1) == turn) {
      send_side(variant, peer);
    } else {
      receive_side(variant, peer);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int most = check::largest_size(check::size);
  std::vector<char> attached(most + MPI_BSEND_OVERHEAD);
  MPI_Buffer_attach(attached.data(), int(attached.size()));
  for (int bytes : check::interesting_sizes(most)) {
    for (Mode mode : {Mode::standard, Mode::buffered, Mode::synchronous, Mode::ready}) {
      for (Style style : {Style::blocking, Style::nonblocking, Style::persistent}) {
        run({mode, style, true, bytes});
        if (mode != Mode::ready) run({mode, style, false, bytes});
      }
    }
  }
  void* address = nullptr;
  int size = 0;
  MPI_Buffer_detach(&address, &size);
  CHECK(address == attached.data());
  CHECK_EQ(size, int(attached.size()));
  return check::finish();
}
