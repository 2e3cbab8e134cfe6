// More messages at once than any queue of a transport holds: thousands of unexpected messages and
// of sends that wait for their receivers, from all ranks to all.

#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// All send to the last rank, which takes the messages in the worst order.
void unexpected(int bytes, int count) {
  check::set_case("%d unexpected messages of %d bytes from each rank", count, bytes);
  const int root = check::size - 1;
  std::vector<char> data(bytes);
  if (check::rank != root) {
    for (int i = 0; i < count; ++i) {
      check::fill(data.data(), bytes, check::rank * 10000 + i);
      MPI_Send(data.data(), bytes, MPI_BYTE, root, i, MPI_COMM_WORLD);
    }
    CHECK(count > 0);
  } else {
    for (int source = root - 1; source >= 0; --source) {
      for (int i = count - 1; i >= 0; --i) {
        MPI_Recv(data.data(), bytes, MPI_BYTE, source, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(data.data(), bytes, source * 10000 + i);
      }
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

using Call = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// Sends that cannot complete before their receives are posted, all started first.
void outstanding(Call call, int bytes, int count, bool backwards) {
  check::set_case("%d sends of %d bytes under way, received %s", count, bytes,
                  backwards ? "backwards" : "in order");
  std::vector<char> out(bytes + count), in(bytes);
  check::fill(out.data(), out.size(), check::rank);
  std::vector<char> expected(out.size());
  check::fill(expected.data(), expected.size(), left());
  std::vector<MPI_Request> requests(count);
  for (int i = 0; i < count; ++i) {  // each sends a different part of `out`
    call(&out[i], bytes, MPI_BYTE, right(), backwards ? i : 1, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    const int which = backwards ? count - 1 - i : i;
    MPI_Recv(in.data(), bytes, MPI_BYTE, left(), backwards ? which : 1, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    CHECK(std::equal(in.begin(), in.end(), expected.begin() + which));
  }
  MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
}

// Some of the many sends are cancelled, including those that still wait in the queue.
void cancelled(int count) {
  if (!check::on_atoll()) return;  // elsewhere waiting for a cancelled send is not local
  check::set_case("%d synchronous sends, each second one cancelled", count);
  std::vector<int> values(count);
  std::vector<MPI_Request> requests(count);
  for (int i = 0; i < count; ++i) {
    values[i] = i;
    MPI_Issend(&values[i], 1, MPI_INT, right(), 2, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = count - 1; i > 0; i -= 2) {
    MPI_Cancel(&requests[i]);
    MPI_Status status;
    MPI_Wait(&requests[i], &status);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    CHECK_EQ(flag, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) {
    if (i % 2 == (count - 1) % 2 && i > 0) continue;
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, left(), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(value, i);
  }
  MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
}

// Thousands of receives, posted before anything is sent, filled in a mixed order.
void posted(int count) {
  check::set_case("%d posted receives", count);
  std::vector<int> in(count, -1), out(count), order(count);
  for (int i = 0; i < count; ++i) order[i] = i;
  check::Random random(3);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  std::vector<MPI_Request> requests(2 * count);
  for (int i = 0; i < count; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < count; ++i) {
    out[i] = order[i];
    MPI_Isend(&out[i], 1, MPI_INT, right(), order[i], MPI_COMM_WORLD, &requests[count + i]);
  }
  MPI_Waitall(2 * count, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; ++i) CHECK_EQ(in[i], i);
}

void everybody_with_everybody(int bytes) {
  check::set_case("everybody with everybody, %d bytes", bytes);
  const int n = check::size;
  std::vector<char> out(std::size_t(n) * bytes), in(std::size_t(n) * bytes);
  std::vector<MPI_Request> requests(2 * n);
  for (int i = 0; i < n; ++i) {
    const int source = (check::rank + n - i) % n;
    MPI_Irecv(&in[std::size_t(source) * bytes], bytes, MPI_BYTE, source, 3, MPI_COMM_WORLD,
              &requests[i]);
  }
  for (int i = 0; i < n; ++i) {
    const int dest = (check::rank + i) % n;
    check::fill(&out[std::size_t(dest) * bytes], bytes, check::rank * 1000 + dest);
    MPI_Isend(&out[std::size_t(dest) * bytes], bytes, MPI_BYTE, dest, 3, MPI_COMM_WORLD,
              &requests[n + i]);
  }
  MPI_Waitall(2 * n, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) {
    CHECK_PATTERN(&in[std::size_t(i) * bytes], bytes, i * 1000 + check::rank);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int scale = check::size <= 4 ? 8 : check::size <= 8 ? 4 : 1;
  for (int bytes : {0, 8, 1000, 20000}) unexpected(bytes, (bytes > 8 ? 40 : 400) * scale);
  for (bool backwards : {false, true}) {
    outstanding(MPI_Issend, 1, 1000 * scale, backwards);
    outstanding(MPI_Isend, 8, 1000 * scale, backwards);
    outstanding(MPI_Isend, 3000, 600 * scale, backwards);
    outstanding(MPI_Isend, 70000, 50 * scale, backwards);
  }
  outstanding(MPI_Issend, 1, 10000, false);  // more than there are rendezvous records at first
  cancelled(10000);
  posted(1000 * scale);
  for (int bytes : {1, 100, 5000, 50000}) everybody_with_everybody(bytes);
  return check::finish();
}
