// A reduction gives the same bits each time, however late its ranks arrive and
// whatever else is under way: sums of numbers of very different size tell in which
// order they were made.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "test/pattern.h"

namespace {

constexpr int kRounds = 100;
using Doubles = std::vector<double>;

// Of this rank; sums of them round.
Doubles numbers(int count) {
  check::Random random(std::uint64_t(check::rank) + 1);
  Doubles made(count);
  for (double& one : made) {
    one = std::ldexp(double(random.below(1u << 30)) - (1 << 29), int(random.below(60)) - 30);
  }
  return made;
}

// Up to a fifth of a millisecond, different on each rank.
void be_late(check::Random& random) {
  if (random.one_in(2)) return;
  const timespec pause = {0, long(random.below(200000))};
  nanosleep(&pause, nullptr);
}

// Traffic that the collective must not meet, begun before it and ended behind it.
class Storm {
 public:
  Storm() {
    const int next = (check::rank + 1) % check::size;
    for (int i = 0; i < kMessages; ++i) {
      MPI_Irecv(&in_[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests_[i]);
    }
    for (int i = 0; i < kMessages; ++i) {
      out_[i] = i;
      MPI_Isend(&out_[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests_[kMessages + i]);
    }
  }
  ~Storm() {
    MPI_Waitall(2 * kMessages, requests_, MPI_STATUSES_IGNORE);
    for (int i = 0; i < kMessages; ++i) CHECK_EQ(in_[i], i);
  }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

 private:
  static constexpr int kMessages = 8;

  int in_[kMessages], out_[kMessages];
  MPI_Request requests_[2 * kMessages];
};

struct Reduction {
  const char* name;
  std::function<void(const double*, double*, int, MPI_Request*)> begin;
};

const MPI_Comm comm = MPI_COMM_WORLD;

// Those that block leave the request alone.
std::vector<Reduction> reductions() {
  using In = const double*;
  using Out = double*;
  using Request = MPI_Request*;
  const auto reduce = [](In in, Out out, int n, Request) {
    MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, check::size - 1, comm);
  };
  const auto allreduce = [](In in, Out out, int n, Request) {
    MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
  };
  const auto scan = [](In in, Out out, int n, Request) {
    MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
  };
  const auto exscan = [](In in, Out out, int n, Request) {
    MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, comm);
  };
  const auto block = [](In in, Out out, int n, Request) {
    MPI_Reduce_scatter_block(in, out, n / check::size, MPI_DOUBLE, MPI_SUM, comm);
  };
  const auto scatter = [](In in, Out out, int n, Request) {
    const std::vector<int> counts(check::size, n / check::size);
    MPI_Reduce_scatter(in, out, counts.data(), MPI_DOUBLE, MPI_SUM, comm);
  };
  const auto ireduce = [](In in, Out out, int n, Request request) {
    MPI_Ireduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, comm, request);
  };
  const auto iallreduce = [](In in, Out out, int n, Request request) {
    MPI_Iallreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm, request);
  };
  const auto iscan = [](In in, Out out, int n, Request request) {
    MPI_Iscan(in, out, n, MPI_DOUBLE, MPI_SUM, comm, request);
  };
  const auto iexscan = [](In in, Out out, int n, Request request) {
    MPI_Iexscan(in, out, n, MPI_DOUBLE, MPI_SUM, comm, request);
  };
  const auto iblock = [](In in, Out out, int n, Request request) {
    MPI_Ireduce_scatter_block(in, out, n / check::size, MPI_DOUBLE, MPI_SUM, comm, request);
  };
  return {{"reduce", reduce},   {"allreduce", allreduce},         {"scan", scan},
          {"exscan", exscan},   {"reduce_scatter_block", block},  {"reduce_scatter", scatter},
          {"ireduce", ireduce}, {"iallreduce", iallreduce},       {"iscan", iscan},
          {"iexscan", iexscan}, {"ireduce_scatter_block", iblock}};
}

void same_each_time(const std::vector<Reduction>& all, int count) {
  check::Random random(std::uint64_t(check::rank) * 1000 + 7);
  const Doubles in = numbers(count);
  std::vector<Doubles> first(all.size());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Doubles> out(all.size(), Doubles(count, -1));
    std::vector<MPI_Request> requests(all.size(), MPI_REQUEST_NULL);
    {
      const Storm storm;
      for (std::size_t i = 0; i < all.size(); ++i) {
        be_late(random);
        all[i].begin(in.data(), out[i].data(), count, &requests[i]);
      }
      MPI_Waitall(int(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      check::set_case("%s of %d doubles, round %d", all[i].name, count, round);
      if (round == 0) first[i] = out[i];
      CHECK(std::memcmp(first[i].data(), out[i].data(), count * sizeof(double)) == 0);
    }
    MPI_Barrier(comm);  // the storms' wildcards
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const std::vector<Reduction> all = reductions();
  for (const int each : {1, 100, check::size <= 4 ? 8000 : 500}) {
    same_each_time(all, each * check::size);
  }
  return check::finish();
}
