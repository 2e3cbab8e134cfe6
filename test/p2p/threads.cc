// Threads, at the level that is granted: "threads [single|funneled|serialized|multiple]". With
// MPI_THREAD_MULTIPLE several threads send, receive, probe and complete at the same time; with
// lower levels they take turns, or only the main thread calls MPI.
#include <mutex>
#include <thread>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr int kThreads = 4;

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }
int repeats() { return check::size <= 4 ? 100 : check::size <= 8 ? 30 : 5; }

template <class Body>
void in_threads(const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

void exchange(MPI_Comm comm, int tag, int bytes, int seed) {
  std::vector<char> out(bytes), in(bytes);
  check::fill(out.data(), bytes, seed + check::rank);
  MPI_Sendrecv(out.data(), bytes, MPI_BYTE, right(), tag, in.data(), bytes, MPI_BYTE, left(), tag,
               comm, MPI_STATUS_IGNORE);
  CHECK_PATTERN(in.data(), bytes, seed + left());
}

int size_in_turn(int i) {
  constexpr int kSizes[] = {0, 8, 100, 3000, 50000, 400000};
  return kSizes[i % (check::size <= 8 ? 6 : 4)];
}

// --- MPI_THREAD_MULTIPLE ---

// Each thread has a tag, or a communicator, of its own.
void rings_by_tag() {
  check::set_case("a ring for each thread, by tag");
  in_threads([](int thread) {
    for (int i = 0; i < repeats(); ++i) {
      exchange(MPI_COMM_WORLD, thread, size_in_turn(i + thread), 10 * thread);
    }
  });
}

void rings_by_communicator() {
  check::set_case("a ring for each thread, by communicator");
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  in_threads([&comms](int thread) {
    for (int i = 0; i < repeats(); ++i) {
      exchange(comms[thread], 1, size_in_turn(i + thread), thread);
      if (i % 10 == 0) MPI_Barrier(comms[thread]);
    }
    MPI_Comm mine;
    MPI_Comm_dup(comms[thread], &mine);
    exchange(mine, 1, 8, thread);
    MPI_Comm_free(&mine);
  });
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

// All threads receive messages from one queue: each message arrives once.
void shared_queue(bool matched_probes) {
  check::set_case("threads share a queue, %s", matched_probes ? "probing" : "receiving");
  const int total = kThreads * repeats();
  std::vector<int> seen(total, 0);
  std::vector<MPI_Request> requests(total);
  std::vector<int> values(total);
  for (int i = 0; i < total; ++i) {
    values[i] = i;
    MPI_Isend(&values[i], 1, MPI_INT, right(), 50, MPI_COMM_WORLD, &requests[i]);
  }
  in_threads([&seen, matched_probes](int) {
    for (int i = 0; i < repeats(); ++i) {
      int value = -1;
      if (matched_probes) {
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
      ++seen[value];  // each value once, so no two threads write the same element
    }
  });
  MPI_Waitall(total, requests.data(), MPI_STATUSES_IGNORE);
  for (int count : seen) CHECK_EQ(count, 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

// One thread blocks in a receive that only another thread of this rank can satisfy, by a
// synchronous send to this rank itself: a blocked thread must not block the others.
void blocked_receiver() {
  check::set_case("a thread sends to a blocked thread of its rank");
  for (int bytes : {0, 100, 100000}) {
    std::vector<char> in(bytes), out(bytes, 'm');
    std::thread receiver([&in] {
      MPI_Recv(in.data(), int(in.size()), MPI_BYTE, check::rank, 60, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    });
    for (int i = 0; i < 3; ++i) exchange(MPI_COMM_WORLD, 61, 8, i);
    MPI_Ssend(out.data(), bytes, MPI_BYTE, check::rank, 60, MPI_COMM_WORLD);
    receiver.join();
    CHECK(in == out);
  }
}

// Requests made by the main thread are completed by others, in different calls.
void foreign_requests() {
  check::set_case("requests completed by other threads");
  std::vector<std::vector<int>> in(kThreads, std::vector<int>(10, -1));
  std::vector<std::vector<int>> out(kThreads, std::vector<int>(10));
  std::vector<std::vector<MPI_Request>> requests(kThreads, std::vector<MPI_Request>(20));
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < 10; ++i) {
      const int tag = 100 + 10 * thread + i;
      out[thread][i] = tag;
      MPI_Irecv(&in[thread][i], 1, MPI_INT, left(), tag, MPI_COMM_WORLD, &requests[thread][i]);
      MPI_Isend(&out[thread][i], 1, MPI_INT, right(), tag, MPI_COMM_WORLD,
                &requests[thread][10 + i]);
    }
  }
  in_threads([&requests](int thread) {
    MPI_Request* mine = requests[thread].data();
    if (thread % 2) {
      MPI_Waitall(20, mine, MPI_STATUSES_IGNORE);
      return;
    }
    for (int i = 0; i < 20; ++i) {
      int index = -1;
      MPI_Waitany(20, mine, &index, MPI_STATUS_IGNORE);
      CHECK(index >= 0);
    }
  });
  CHECK(in == out);
}

void multiple() {
  rings_by_tag();
  rings_by_communicator();
  shared_queue(false);
  shared_queue(true);
  blocked_receiver();
  foreign_requests();
}

// --- lower levels ---

// Threads call MPI one at a time, nonblocking, so that a turn never waits.
void serialized() {
  check::set_case("threads take turns");
  std::mutex turn;
  in_threads([&turn](int thread) {
    for (int i = 0; i < repeats(); ++i) {
      int in = -1, done = 0;
      MPI_Request requests[2];
      {
        const std::lock_guard lock(turn);
        MPI_Irecv(&in, 1, MPI_INT, left(), thread, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&i, 1, MPI_INT, right(), thread, MPI_COMM_WORLD, &requests[1]);
      }
      while (!done) {
        std::this_thread::yield();  // the mutex is not fair
        const std::lock_guard lock(turn);
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
      }
      CHECK_EQ(in, i);
    }
  });
}

// Only the main thread calls MPI while others compute.
void funneled() {
  check::set_case("only the main thread communicates");
  std::vector<std::uint64_t> sums(kThreads);
  std::thread computing([&sums] {
    in_threads([&sums](int thread) {
      check::Random random(thread);
      for (int i = 0; i < 100000; ++i) sums[thread] += random.next();
    });
  });
  for (int i = 0; i < repeats(); ++i) exchange(MPI_COMM_WORLD, 1, size_in_turn(i), i);
  computing.join();
  for (std::uint64_t sum : sums) CHECK(sum != 0);
}

int wanted_level(const std::string& name) {
  if (name == "single") return MPI_THREAD_SINGLE;
  if (name == "funneled") return MPI_THREAD_FUNNELED;
  if (name == "serialized") return MPI_THREAD_SERIALIZED;
  return MPI_THREAD_MULTIPLE;
}

void check_levels(int wanted, int provided) {
  CHECK(provided == MPI_THREAD_SINGLE || provided == MPI_THREAD_FUNNELED ||
        provided == MPI_THREAD_SERIALIZED || provided == MPI_THREAD_MULTIPLE);
  if (check::on_atoll()) CHECK(provided <= wanted);  // no lock if none was requested
  int queried = -1, main_thread = -1;
  MPI_Query_thread(&queried);
  CHECK_EQ(queried, provided);
  MPI_Is_thread_main(&main_thread);
  CHECK_EQ(main_thread, 1);
  if (provided < MPI_THREAD_SERIALIZED) return;
  std::thread([&main_thread] { MPI_Is_thread_main(&main_thread); }).join();
  CHECK_EQ(main_thread, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const int wanted = wanted_level(argc > 1 ? argv[1] : "multiple");
  int provided = -1;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
  check::set_rank_and_size();
  check_levels(wanted, provided);
  if (provided >= MPI_THREAD_FUNNELED) funneled();
  if (provided >= MPI_THREAD_SERIALIZED) serialized();
  if (provided >= MPI_THREAD_MULTIPLE) multiple();
  return check::finish();
}
