// Collectives at random against what one process computes: each operation, form
// (blocking, non-blocking, persistent, each with plain and with large counts), type,
// count, root, in place or not, within a group and between two; now and then a rank
// comes late. Reductions here are those of the program; predefined.cc has the others.
#include <unistd.h>

#include <random>

#include "test/coll/elements.h"
#include "test/coll/forms.h"
#include "test/coll/places.h"
#include "test/seed.h"

namespace {

using namespace coll;

struct Round {
  Place at;
  Form form;
  bool large;  // the form with large counts
  Type type;
  Operation op;
  int count;
  Root root;
  bool in_place;

  bool here() const { return root.is(at); }
  bool serves() const { return root.serves(at); }

  // What the first `ranks` have together of those that data come from.
  Values reduced(int ranks, int elements) const {
    Values result = values(at.peer(0), elements);
    for (int i = 1; i < ranks; ++i) result = op.apply(result, values(at.peer(i), elements));
    return result;
  }
};

template <class... Buffers>
Contents<Buffer> contents(Buffers&... buffers) {
  return Contents<Buffer>({&buffers...});
}

// A call that succeeds.
#define ORACLE_CALL(contents, name, iname, ...) \
  CHECK_EQ(CALL(r.form, r.large, contents, name, iname, __VA_ARGS__), MPI_SUCCESS)

// Different for each rank, some zero.
int share(const Round& r, int rank) {
  return (r.count + rank * 3) % 5 == 0 ? 0 : r.count / 2 + rank % 3;
}
int share_before(const Round& r, int rank) {
  int sum = 0;
  for (int i = 0; i < rank; ++i) sum += share(r, i) + 1;  // a gap of one element behind each
  return sum;
}
struct Shares {
  explicit Shares(const Round& r) {
    for (int i = 0; i < r.at.peers; ++i) {
      counts.push_back(share(r, i));
      displs.push_back(share_before(r, i));
    }
  }
  Numbers counts;
  Numbers displs;
};

void barrier(const Round& r) {
  CHECK_EQ(CALL_FORMS(r.form, contents(), MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, r.at.comm),
           MPI_SUCCESS);
}

void bcast(const Round& r) {
  Buffer data(r.type, r.count);
  if (r.here()) data.put(0, values(r.root.name(), r.count));
  ORACLE_CALL(contents(data), Bcast, Ibcast, data.address(), r.count, r.type.handle,
              r.root.argument(r.at), r.at.comm);
  if (r.here() || r.serves()) data.expect(0, values(r.root.name(), r.count), "bcast");
  data.rest();
}

void gather(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer all(r.type, r.here() ? r.count * r.at.peers : 0);
  const bool in_place = r.here() && r.in_place;
  if (in_place) all.put(r.at.rank * r.count, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, all), Gather, Igather, in_place ? MPI_IN_PLACE : mine.address(),
              r.count, r.type.handle, all.address(), r.count, r.type.handle, r.root.argument(r.at),
              r.at.comm);
  for (int i = 0; r.here() && i < r.at.peers; ++i) {
    all.expect(i * r.count, values(r.at.peer(i), r.count), "gather");
  }
  all.rest();
}

void gatherv(const Round& r) {
  const Shares shares(r);
  const int own = share(r, r.at.rank);
  Buffer mine(r.type, own);
  mine.put(0, values(r.at.self(), own));
  Buffer all(r.type, r.here() ? share_before(r, r.at.peers) : 0);
  const bool in_place = r.here() && r.in_place;
  if (in_place) all.put(share_before(r, r.at.rank), values(r.at.self(), own));
  ORACLE_CALL(contents(mine, all), Gatherv, Igatherv, in_place ? MPI_IN_PLACE : mine.address(), own,
              r.type.handle, all.address(), shares.counts, shares.displs, r.type.handle,
              r.root.argument(r.at), r.at.comm);
  for (int i = 0; r.here() && i < r.at.peers; ++i) {
    all.expect(share_before(r, i), values(r.at.peer(i), share(r, i)), "gatherv");
  }
  all.rest();
}

void scatter(const Round& r) {
  Buffer all(r.type, r.here() ? r.count * r.at.peers : 0);
  for (int i = 0; r.here() && i < r.at.peers; ++i) {
    all.put(i * r.count, values(r.at.peer(i), r.count));
  }
  Buffer mine(r.type, r.count);
  const bool in_place = r.here() && r.in_place;
  ORACLE_CALL(contents(all, mine), Scatter, Iscatter, all.address(), r.count, r.type.handle,
              in_place ? MPI_IN_PLACE : mine.address(), r.count, r.type.handle,
              r.root.argument(r.at), r.at.comm);
  if (r.serves() && !in_place) mine.expect(0, values(r.at.self(), r.count), "scatter");
  mine.rest();
}

void scatterv(const Round& r) {
  const Shares shares(r);
  const int own = share(r, r.at.rank);
  Buffer all(r.type, r.here() ? share_before(r, r.at.peers) : 0);
  for (int i = 0; r.here() && i < r.at.peers; ++i) {
    all.put(share_before(r, i), values(r.at.peer(i), share(r, i)));
  }
  Buffer mine(r.type, own);
  const bool in_place = r.here() && r.in_place;
  ORACLE_CALL(contents(all, mine), Scatterv, Iscatterv, all.address(), shares.counts, shares.displs,
              r.type.handle, in_place ? MPI_IN_PLACE : mine.address(), own, r.type.handle,
              r.root.argument(r.at), r.at.comm);
  if (r.serves() && !in_place) mine.expect(0, values(r.at.self(), own), "scatterv");
  mine.rest();
}

void allgather(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer all(r.type, r.count * r.at.peers);
  if (r.in_place) all.put(r.at.rank * r.count, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, all), Allgather, Iallgather,
              r.in_place ? MPI_IN_PLACE : mine.address(), r.count, r.type.handle, all.address(),
              r.count, r.type.handle, r.at.comm);
  for (int i = 0; i < r.at.peers; ++i) {
    all.expect(i * r.count, values(r.at.peer(i), r.count), "allgather");
  }
  all.rest();
}

void allgatherv(const Round& r) {
  const Shares shares(r);
  const int own = share(r, r.at.rank);
  Buffer mine(r.type, own);
  mine.put(0, values(r.at.self(), own));
  Buffer all(r.type, share_before(r, r.at.peers));
  if (r.in_place) all.put(share_before(r, r.at.rank), values(r.at.self(), own));
  ORACLE_CALL(contents(mine, all), Allgatherv, Iallgatherv,
              r.in_place ? MPI_IN_PLACE : mine.address(), own, r.type.handle, all.address(),
              shares.counts, shares.displs, r.type.handle, r.at.comm);
  for (int i = 0; i < r.at.peers; ++i) {
    all.expect(share_before(r, i), values(r.at.peer(i), share(r, i)), "allgatherv");
  }
  all.rest();
}

// What rank `from` has for rank `to` are elements from to * 10 on.
void alltoall(const Round& r) {
  Buffer out(r.type, r.count * r.at.peers);
  Buffer in(r.type, r.count * r.at.peers);
  for (int i = 0; i < r.at.peers; ++i) {
    (r.in_place ? in : out).put(i * r.count, values(r.at.self(), r.count, i * 10));
  }
  ORACLE_CALL(contents(out, in), Alltoall, Ialltoall, r.in_place ? MPI_IN_PLACE : out.address(),
              r.count, r.type.handle, in.address(), r.count, r.type.handle, r.at.comm);
  for (int i = 0; i < r.at.peers; ++i) {
    in.expect(i * r.count, values(r.at.peer(i), r.count, r.at.rank * 10), "alltoall");
  }
  in.rest();
}

// Ranks a and b have as much for each other.
int between(const Round& r, int a, int b) { return (r.count + a + b) % 4; }

struct Pairs {
  explicit Pairs(const Round& r) : types(r.at.peers, r.type.handle) {
    MPI_Aint lb;
    MPI_Aint extent;
    MPI_Type_get_extent(r.type.handle, &lb, &extent);
    for (int i = 0; i < r.at.peers; ++i) {
      counts.push_back(between(r, r.at.rank, i));
      displs.push_back(i * 4);
      bytes.push_back(int(i * 4 * extent));
    }
  }
  Numbers counts, displs, bytes;
  std::vector<MPI_Datatype> types;
};

template <class Call>
void alltoall_by_pairs(const Round& r, Call exchange, const char* name) {
  Buffer out(r.type, 4 * r.at.peers);
  Buffer in(r.type, 4 * r.at.peers);
  for (int i = 0; i < r.at.peers; ++i) {
    const Values own = values(r.at.self(), between(r, r.at.rank, i), i * 10);
    (r.in_place ? in : out).put(i * 4, own);
  }
  exchange(r.in_place ? MPI_IN_PLACE : out.address(), in.address(), Pairs(r), contents(out, in));
  for (int i = 0; i < r.at.peers; ++i) {
    in.expect(i * 4, values(r.at.peer(i), between(r, r.at.rank, i), r.at.rank * 10), name);
  }
  in.rest();
}

void alltoallv(const Round& r) {
  alltoall_by_pairs(
      r,
      [&](const void* out, void* in, const Pairs& p, const auto& both) {
        ORACLE_CALL(both, Alltoallv, Ialltoallv, out, p.counts, p.displs, r.type.handle, in,
                    p.counts, p.displs, r.type.handle, r.at.comm);
      },
      "alltoallv");
}

void alltoallw(const Round& r) {
  alltoall_by_pairs(
      r,
      [&](const void* out, void* in, const Pairs& p, const auto& both) {
        ORACLE_CALL(both, Alltoallw, Ialltoallw, out, p.counts, p.bytes, p.types.data(), in,
                    p.counts, p.bytes, p.types.data(), r.at.comm);
      },
      "alltoallw");
}

void reduce(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer result(r.type, r.here() ? r.count : 0);
  const bool in_place = r.here() && r.in_place;
  if (in_place) result.put(0, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, result), Reduce, Ireduce, in_place ? MPI_IN_PLACE : mine.address(),
              result.address(), r.count, r.type.handle, r.op.handle, r.root.argument(r.at),
              r.at.comm);
  if (r.here()) result.expect(0, r.reduced(r.at.peers, r.count), "reduce");
  result.rest();
}

void allreduce(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, result), Allreduce, Iallreduce,
              r.in_place ? MPI_IN_PLACE : mine.address(), result.address(), r.count, r.type.handle,
              r.op.handle, r.at.comm);
  result.expect(0, r.reduced(r.at.peers, r.count), "allreduce");
  result.rest();
}

// Elements [first, first + count) of what all have together.
Values part(const Values& whole, int first, int count) {
  return {whole.begin() + first * kInts, whole.begin() + (first + count) * kInts};
}

// Both groups reduce as much in all.
void reduce_scatter_block(const Round& r) {
  if (has_gaps(r.type) && !check::on_atoll()) return;  // MPICH 4.0 writes where it has no memory
  const int count = r.at.inter ? r.count / 50 * r.at.peers : r.count;
  const int total = count * r.at.size;
  Buffer mine(r.type, total);
  mine.put(0, values(r.at.self(), total));
  Buffer result(r.type, r.in_place ? total : count);
  if (r.in_place) result.put(0, values(r.at.self(), total));
  ORACLE_CALL(contents(mine, result), Reduce_scatter_block, Ireduce_scatter_block,
              r.in_place ? MPI_IN_PLACE : mine.address(), result.address(), count, r.type.handle,
              r.op.handle, r.at.comm);
  const Values whole = r.reduced(r.at.peers, total);
  result.expect(0, part(whole, r.at.rank * count, count), "reduce_scatter_block");
}

// Of what is reduced, the elements of the ranks before `rank`.
int reduced_before(const Round& r, int rank) {
  if (r.at.inter) return int(long(r.count) * rank / r.at.size);
  return share_before(r, rank) - rank;
}

void reduce_scatter(const Round& r) {
  if (has_gaps(r.type) && !check::on_atoll()) return;  // as above
  Numbers counts;
  for (int i = 0; i < r.at.size; ++i) {
    counts.push_back(reduced_before(r, i + 1) - reduced_before(r, i));
  }
  const int total = reduced_before(r, r.at.size);
  const int before = reduced_before(r, r.at.rank);
  const int own = reduced_before(r, r.at.rank + 1) - before;
  Buffer mine(r.type, total);
  mine.put(0, values(r.at.self(), total));
  Buffer result(r.type, r.in_place ? total : own);
  if (r.in_place) result.put(0, values(r.at.self(), total));
  ORACLE_CALL(contents(mine, result), Reduce_scatter, Ireduce_scatter,
              r.in_place ? MPI_IN_PLACE : mine.address(), result.address(), counts, r.type.handle,
              r.op.handle, r.at.comm);
  result.expect(0, part(r.reduced(r.at.peers, total), before, own), "reduce_scatter");
}

void scan(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, result), Scan, Iscan, r.in_place ? MPI_IN_PLACE : mine.address(),
              result.address(), r.count, r.type.handle, r.op.handle, r.at.comm);
  result.expect(0, r.reduced(r.at.rank + 1, r.count), "scan");
  result.rest();
}

void exscan(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.at.self(), r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.at.self(), r.count));
  ORACLE_CALL(contents(mine, result), Exscan, Iexscan, r.in_place ? MPI_IN_PLACE : mine.address(),
              result.address(), r.count, r.type.handle, r.op.handle, r.at.comm);
  if (r.at.rank == 0) return;  // nothing is said of its result
  result.expect(0, r.reduced(r.at.rank, r.count), "exscan");
  result.rest();
}

struct Named {
  const char* name;
  void (*run)(const Round&);
};
constexpr Named kCollectives[] = {
    {"barrier", barrier},
    {"bcast", bcast},
    {"gather", gather},
    {"gatherv", gatherv},
    {"scatter", scatter},
    {"scatterv", scatterv},
    {"allgather", allgather},
    {"allgatherv", allgatherv},
    {"alltoall", alltoall},
    {"alltoallv", alltoallv},
    {"alltoallw", alltoallw},
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"reduce_scatter_block", reduce_scatter_block},
    {"reduce_scatter", reduce_scatter},
    // Only within a group:
    {"scan", scan},
    {"exscan", exscan},
};
constexpr std::size_t kWithinGroups = 2;

// Mostly short; the longest do not fit into the slots of the collective buffer.
int draw_count(std::mt19937& random) {
  const int counts[] = {0, 1, 2, 7, 100, 1000};
  if (random() % 16 != 0) return counts[random() % std::size(counts)];
  return check::size <= 4 ? 30000 : check::size <= 9 ? 12000 : 3000;
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  std::mt19937 random(seed);  // the same numbers everywhere

  const std::vector<Type> types = make_types();
  std::vector<Operation> operations = make_operations();
  std::vector<Place> places = make_places();

  for (int round = 0; round < 3000 / (check::size + 4); ++round) {
    const Place& at = places[random() % places.size()];
    const std::size_t choices = std::size(kCollectives) - (at.inter ? kWithinGroups : 0);
    const Named& collective = kCollectives[random() % choices];
    Round r{};
    r.at = at;
    r.form = draw_form(unsigned(random()), at.inter);
    r.large = random() % 2 == 0;
    r.type = types[random() % types.size()];
    r.op = operations[random() % operations.size()];
    r.count = draw_count(random);
    r.root = Root::draw(unsigned(random()), at);
    r.in_place = !at.inter && random() % 3 == 0;
    check::set_case("SEED=%u, round %d: %s%s%s, %s, count %d, root %d%s, stride %d", seed, round,
                    collective.name, r.large ? "_c" : "", at.inter ? " between groups" : "",
                    kForms[int(r.form)], r.count, r.root.name(), r.in_place ? ", in place" : "",
                    r.type.stride);
    const int late = random() % 10 == 0 ? int(random() % 1000) : 0;  // microseconds
    if (late != 0 && int(random() % check::size) == check::rank) ::usleep(late);
    collective.run(r);
  }
  free_places(places);
  for (Operation& operation : operations) MPI_Op_free(&operation.handle);
  for (Type type : types) MPI_Type_free(&type.handle);
  return check::finish();
}
