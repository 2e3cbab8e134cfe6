// Collectives at random against what one process computes: each operation, form
// (blocking, non-blocking, persistent, each with plain and with large counts), type,
// count, root, in place or not; now and then a rank comes late.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "test/check.h"
#include "test/seed.h"

namespace {

enum class Form { blocking, nonblocking, persistent, count };
constexpr const char* kForms[] = {"blocking", "non-blocking", "persistent"};

// --- elements: kInts ints, laid out with or without a gap behind each ---

constexpr int kInts = 4;
constexpr int kPrime = 9973;

struct Type {
  MPI_Datatype handle;
  int stride;  // ints from element to element
};

std::vector<Type> make_types() {
  MPI_Datatype dense;
  MPI_Datatype gap;
  MPI_Type_contiguous(kInts, MPI_INT, &dense);
  MPI_Type_create_resized(dense, 0, (kInts + 2) * sizeof(int), &gap);
  MPI_Type_commit(&dense);
  MPI_Type_commit(&gap);
  return {{dense, kInts}, {gap, kInts + 2}};
}

using Values = std::vector<int>;  // of elements, without gaps

int value(int rank, int index) { return int((rank * 7919L + index * 104729L + 13) % kPrime); }

// Element `first` and those behind it of what a rank contributes.
Values values(int rank, int count, int first = 0) {
  Values made(static_cast<std::size_t>(count) * kInts);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = value(rank, first * kInts + int(i));
  return made;
}

// A buffer of elements; what lies between and behind them must stay.
class Buffer {
 public:
  Buffer(Type type, int count) : type_(type), count_(count), ints_(count * type.stride + 5, -1) {}

  void* address() { return ints_.data(); }
  int displacement(int element) const { return element; }

  void put(int element, const Values& given) {
    for (std::size_t i = 0; i < given.size(); ++i) ints_[place(element, i)] = given[i];
  }
  // `expected` from `element` on; -1 everywhere else is checked by rest().
  void expect(int element, const Values& expected, const char* what) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      int& found = ints_[place(element, i)];
      if (found != expected[i]) {
        check::fail(__FILE__, __LINE__,
                    std::string(what) + ": int " + std::to_string(i) + " of element " +
                        std::to_string(element) + " is " + std::to_string(found) + ", not " +
                        std::to_string(expected[i]));
        return;
      }
      found = -1;
    }
  }
  void rest() {
    CHECK(std::ranges::all_of(ints_, [](int i) { return i == -1; }));
  }

 private:
  std::size_t place(int element, std::size_t i) const {
    return static_cast<std::size_t>(element) * type_.stride + i / kInts * type_.stride + i % kInts;
  }

  Type type_;
  int count_;
  std::vector<int> ints_;
};

// --- operations on elements ---

void add(void* in, void* inout, int* len, MPI_Datatype* type) {
  MPI_Aint lb;
  MPI_Aint extent;
  MPI_Type_get_extent(*type, &lb, &extent);
  for (int e = 0; e < *len; ++e) {
    const int* a = reinterpret_cast<int*>(static_cast<char*>(in) + e * extent);
    int* b = reinterpret_cast<int*>(static_cast<char*>(inout) + e * extent);
    for (int i = 0; i < kInts; ++i) b[i] = (a[i] + b[i]) % kPrime;
  }
}

Values product(const Values& a, const Values& b) {
  Values c(a.size());
  for (std::size_t m = 0; m < a.size(); m += 4) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        c[m + 2 * i + j] = (a[m + 2 * i] * b[m + j] + a[m + 2 * i + 1] * b[m + 2 + j]) % kPrime;
      }
    }
  }
  return c;
}

Values sum(const Values& a, const Values& b) {
  Values c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] + b[i]) % kPrime;
  return c;
}

// Products of 2 x 2 matrices: the order counts.
void multiply(void* in, void* inout, int* len, MPI_Datatype* type) {
  MPI_Aint lb;
  MPI_Aint extent;
  MPI_Type_get_extent(*type, &lb, &extent);
  for (int e = 0; e < *len; ++e) {
    const int* a = reinterpret_cast<int*>(static_cast<char*>(in) + e * extent);
    int* b = reinterpret_cast<int*>(static_cast<char*>(inout) + e * extent);
    const Values c = product(Values(a, a + kInts), Values(b, b + kInts));
    std::ranges::copy(c, b);
  }
}

struct Operation {
  MPI_Op handle;
  Values (*apply)(const Values&, const Values&);
};

// --- one round ---

struct Round {
  MPI_Comm comm;
  int rank;
  int size;
  Form form;
  bool large;  // the form with large counts
  Type type;
  Operation op;
  int count;
  int root;
  bool in_place;

  // What ranks [first, end) have together.
  Values reduced(int first, int end, int elements) const {
    Values result = values(first, elements);
    for (int r = first + 1; r < end; ++r) result = op.apply(result, values(r, elements));
    return result;
  }
};

template <class Blocking, class Starting, class Making>
void call(Form form, Blocking blocking, Starting starting, Making making) {
  if (form == Form::blocking) {
    blocking();
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::nonblocking) {
    starting(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return;
  }
  making(&request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

// All three forms of an MPI function with the same arguments.
#define CALL_FORMS(round, blocking, starting, making, ...)            \
  call((round).form, [&] { blocking(__VA_ARGS__); },                  \
       [&](MPI_Request* request) { starting(__VA_ARGS__, request); }, \
       [&](MPI_Request* request) { making(__VA_ARGS__, MPI_INFO_NULL, request); })

// And those with large counts.
#define CALL(round, name, iname, ...)                                                     \
  if ((round).large) {                                                                    \
    CALL_FORMS(round, MPI_##name##_c, MPI_##iname##_c, MPI_##name##_init_c, __VA_ARGS__); \
  } else {                                                                                \
    CALL_FORMS(round, MPI_##name, MPI_##iname, MPI_##name##_init, __VA_ARGS__);           \
  }

// An argument of either.
class Numbers {
 public:
  void push_back(int number) {
    narrow_.push_back(number);
    wide_.push_back(number);
  }
  // Of the first `end` of them.
  int sum(int end) const { return std::accumulate(narrow_.begin(), narrow_.begin() + end, 0); }
  operator const int*() const { return narrow_.data(); }
  operator const MPI_Count*() const { return wide_.data(); }

 private:
  std::vector<int> narrow_;
  std::vector<MPI_Count> wide_;
};
static_assert(std::is_same_v<MPI_Count, MPI_Aint>);

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
    for (int i = 0; i < r.size; ++i) {
      counts.push_back(share(r, i));
      displs.push_back(share_before(r, i));
    }
  }
  Numbers counts;
  Numbers displs;
};

void barrier(const Round& r) { CALL_FORMS(r, MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, r.comm); }

void bcast(const Round& r) {
  Buffer data(r.type, r.count);
  if (r.rank == r.root) data.put(0, values(r.root, r.count));
  CALL(r, Bcast, Ibcast, data.address(), r.count, r.type.handle, r.root, r.comm);
  data.expect(0, values(r.root, r.count), "bcast");
  data.rest();
}

void gather(const Round& r) {
  const bool here = r.rank == r.root;
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer all(r.type, here ? r.count * r.size : 0);
  const bool in_place = here && r.in_place;
  if (in_place) all.put(r.root * r.count, values(r.root, r.count));
  CALL(r, Gather, Igather, in_place ? MPI_IN_PLACE : mine.address(), r.count, r.type.handle,
       all.address(), r.count, r.type.handle, r.root, r.comm);
  for (int i = 0; here && i < r.size; ++i) all.expect(i * r.count, values(i, r.count), "gather");
  all.rest();
}

void gatherv(const Round& r) {
  const Shares shares(r);
  const bool here = r.rank == r.root;
  Buffer mine(r.type, share(r, r.rank));
  mine.put(0, values(r.rank, share(r, r.rank)));
  Buffer all(r.type, here ? share_before(r, r.size) : 0);
  const bool in_place = here && r.in_place;
  if (in_place) all.put(share_before(r, r.rank), values(r.rank, share(r, r.rank)));
  CALL(r, Gatherv, Igatherv, in_place ? MPI_IN_PLACE : mine.address(), share(r, r.rank),
       r.type.handle, all.address(), shares.counts, shares.displs, r.type.handle, r.root, r.comm);
  for (int i = 0; here && i < r.size; ++i) {
    all.expect(share_before(r, i), values(i, share(r, i)), "gatherv");
  }
  all.rest();
}

void scatter(const Round& r) {
  const bool here = r.rank == r.root;
  Buffer all(r.type, here ? r.count * r.size : 0);
  for (int i = 0; here && i < r.size; ++i) all.put(i * r.count, values(i, r.count));
  Buffer mine(r.type, r.count);
  const bool in_place = here && r.in_place;
  CALL(r, Scatter, Iscatter, all.address(), r.count, r.type.handle,
       in_place ? MPI_IN_PLACE : mine.address(), r.count, r.type.handle, r.root, r.comm);
  if (!in_place) mine.expect(0, values(r.rank, r.count), "scatter");
  mine.rest();
}

void scatterv(const Round& r) {
  const Shares shares(r);
  const bool here = r.rank == r.root;
  Buffer all(r.type, here ? share_before(r, r.size) : 0);
  for (int i = 0; here && i < r.size; ++i) all.put(share_before(r, i), values(i, share(r, i)));
  Buffer mine(r.type, share(r, r.rank));
  const bool in_place = here && r.in_place;
  CALL(r, Scatterv, Iscatterv, all.address(), shares.counts, shares.displs, r.type.handle,
       in_place ? MPI_IN_PLACE : mine.address(), share(r, r.rank), r.type.handle, r.root, r.comm);
  if (!in_place) mine.expect(0, values(r.rank, share(r, r.rank)), "scatterv");
  mine.rest();
}

void allgather(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer all(r.type, r.count * r.size);
  if (r.in_place) all.put(r.rank * r.count, values(r.rank, r.count));
  CALL(r, Allgather, Iallgather, r.in_place ? MPI_IN_PLACE : mine.address(), r.count, r.type.handle,
       all.address(), r.count, r.type.handle, r.comm);
  for (int i = 0; i < r.size; ++i) all.expect(i * r.count, values(i, r.count), "allgather");
  all.rest();
}

void allgatherv(const Round& r) {
  const Shares shares(r);
  Buffer mine(r.type, share(r, r.rank));
  mine.put(0, values(r.rank, share(r, r.rank)));
  Buffer all(r.type, share_before(r, r.size));
  if (r.in_place) all.put(share_before(r, r.rank), values(r.rank, share(r, r.rank)));
  CALL(r, Allgatherv, Iallgatherv, r.in_place ? MPI_IN_PLACE : mine.address(), share(r, r.rank),
       r.type.handle, all.address(), shares.counts, shares.displs, r.type.handle, r.comm);
  for (int i = 0; i < r.size; ++i) {
    all.expect(share_before(r, i), values(i, share(r, i)), "allgatherv");
  }
  all.rest();
}

// What rank `from` has for rank `to` are elements from to * 10 on.
void alltoall(const Round& r) {
  Buffer out(r.type, r.count * r.size);
  Buffer in(r.type, r.count * r.size);
  for (int i = 0; i < r.size; ++i) {
    (r.in_place ? in : out).put(i * r.count, values(r.rank, r.count, i * 10));
  }
  CALL(r, Alltoall, Ialltoall, r.in_place ? MPI_IN_PLACE : out.address(), r.count, r.type.handle,
       in.address(), r.count, r.type.handle, r.comm);
  for (int i = 0; i < r.size; ++i) {
    in.expect(i * r.count, values(i, r.count, r.rank * 10), "alltoall");
  }
  in.rest();
}

// Ranks a and b have as much for each other.
int between(const Round& r, int a, int b) { return (r.count + a + b) % 4; }

struct Pairs {
  explicit Pairs(const Round& r) : types(r.size, r.type.handle) {
    MPI_Aint lb;
    MPI_Aint extent;
    MPI_Type_get_extent(r.type.handle, &lb, &extent);
    for (int i = 0; i < r.size; ++i) {
      counts.push_back(between(r, r.rank, i));
      displs.push_back(i * 4);
      bytes.push_back(int(i * 4 * extent));
    }
  }
  Numbers counts, displs, bytes;
  std::vector<MPI_Datatype> types;
};

template <class Call>
void alltoall_by_pairs(const Round& r, Call exchange, const char* name) {
  Buffer out(r.type, 4 * r.size);
  Buffer in(r.type, 4 * r.size);
  for (int i = 0; i < r.size; ++i) {
    (r.in_place ? in : out).put(i * 4, values(r.rank, between(r, r.rank, i), i * 10));
  }
  exchange(r.in_place ? MPI_IN_PLACE : out.address(), in.address(), Pairs(r));
  for (int i = 0; i < r.size; ++i) {
    in.expect(i * 4, values(i, between(r, r.rank, i), r.rank * 10), name);
  }
  in.rest();
}

void alltoallv(const Round& r) {
  alltoall_by_pairs(
      r,
      [&](const void* out, void* in, const Pairs& p) {
        CALL(r, Alltoallv, Ialltoallv, out, p.counts, p.displs, r.type.handle, in, p.counts,
             p.displs, r.type.handle, r.comm);
      },
      "alltoallv");
}

void alltoallw(const Round& r) {
  alltoall_by_pairs(
      r,
      [&](const void* out, void* in, const Pairs& p) {
        CALL(r, Alltoallw, Ialltoallw, out, p.counts, p.bytes, p.types.data(), in, p.counts,
             p.bytes, p.types.data(), r.comm);
      },
      "alltoallw");
}

void reduce(const Round& r) {
  const bool here = r.rank == r.root;
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer result(r.type, here ? r.count : 0);
  const bool in_place = here && r.in_place;
  if (in_place) result.put(0, values(r.rank, r.count));
  CALL(r, Reduce, Ireduce, in_place ? MPI_IN_PLACE : mine.address(), result.address(), r.count,
       r.type.handle, r.op.handle, r.root, r.comm);
  if (here) result.expect(0, r.reduced(0, r.size, r.count), "reduce");
  result.rest();
}

void allreduce(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.rank, r.count));
  CALL(r, Allreduce, Iallreduce, r.in_place ? MPI_IN_PLACE : mine.address(), result.address(),
       r.count, r.type.handle, r.op.handle, r.comm);
  result.expect(0, r.reduced(0, r.size, r.count), "allreduce");
  result.rest();
}

// Elements [first, first + count) of what all have together.
Values part(const Values& whole, int first, int count) {
  return {whole.begin() + first * kInts, whole.begin() + (first + count) * kInts};
}

void reduce_scatter_block(const Round& r) {
  const int total = r.count * r.size;
  Buffer mine(r.type, total);
  mine.put(0, values(r.rank, total));
  Buffer result(r.type, r.in_place ? total : r.count);
  if (r.in_place) result.put(0, values(r.rank, total));
  CALL(r, Reduce_scatter_block, Ireduce_scatter_block, r.in_place ? MPI_IN_PLACE : mine.address(),
       result.address(), r.count, r.type.handle, r.op.handle, r.comm);
  const Values whole = r.reduced(0, r.size, total);
  result.expect(0, part(whole, r.rank * r.count, r.count), "reduce_scatter_block");
}

void reduce_scatter(const Round& r) {
  const Shares shares(r);
  const int total = shares.counts.sum(r.size);
  const int before = shares.counts.sum(r.rank);
  Buffer mine(r.type, total);
  mine.put(0, values(r.rank, total));
  Buffer result(r.type, r.in_place ? total : share(r, r.rank));
  if (r.in_place) result.put(0, values(r.rank, total));
  CALL(r, Reduce_scatter, Ireduce_scatter, r.in_place ? MPI_IN_PLACE : mine.address(),
       result.address(), shares.counts, r.type.handle, r.op.handle, r.comm);
  const Values whole = r.reduced(0, r.size, total);
  result.expect(0, part(whole, before, share(r, r.rank)), "reduce_scatter");
}

void scan(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.rank, r.count));
  CALL(r, Scan, Iscan, r.in_place ? MPI_IN_PLACE : mine.address(), result.address(), r.count,
       r.type.handle, r.op.handle, r.comm);
  result.expect(0, r.reduced(0, r.rank + 1, r.count), "scan");
  result.rest();
}

void exscan(const Round& r) {
  Buffer mine(r.type, r.count);
  mine.put(0, values(r.rank, r.count));
  Buffer result(r.type, r.count);
  if (r.in_place) result.put(0, values(r.rank, r.count));
  CALL(r, Exscan, Iexscan, r.in_place ? MPI_IN_PLACE : mine.address(), result.address(), r.count,
       r.type.handle, r.op.handle, r.comm);
  if (r.rank == 0) return;  // nothing is said of its result
  result.expect(0, r.reduced(0, r.rank, r.count), "exscan");
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
    {"scan", scan},
    {"exscan", exscan},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  std::mt19937 random(seed);  // the same numbers everywhere

  const std::vector<Type> types = make_types();
  Operation operations[2] = {{MPI_OP_NULL, sum}, {MPI_OP_NULL, product}};
  MPI_Op_create(add, 1, &operations[0].handle);
  MPI_Op_create(multiply, 0, &operations[1].handle);
  // The longest messages take other ways than the short ones.
  const int counts[] = {0, 1, 2, 7, 100, check::size <= 4 ? 30000 : 1000};
  const unsigned forms = unsigned(Form::count);

  for (int round = 0; round < 3000 / (check::size + 4); ++round) {
    const Named& collective = kCollectives[random() % std::size(kCollectives)];
    Round r{};
    r.comm = MPI_COMM_WORLD;
    r.rank = check::rank;
    r.size = check::size;
    r.form = Form(random() % forms);
    r.large = random() % 2 == 0;
    r.type = types[random() % types.size()];
    r.op = operations[random() % 2];
    r.count = counts[random() % std::size(counts)];
    r.root = int(random() % check::size);
    r.in_place = random() % 3 == 0;
    check::set_case("SEED=%u, round %d: %s%s, %s, count %d, root %d%s, stride %d", seed, round,
                    collective.name, r.large ? "_c" : "", kForms[int(r.form)], r.count, r.root,
                    r.in_place ? ", in place" : "", r.type.stride);
    const int late = random() % 10 == 0 ? int(random() % 1000) : 0;  // microseconds
    if (late != 0 && int(random() % check::size) == check::rank) ::usleep(late);
    collective.run(r);
  }
  for (Operation& operation : operations) MPI_Op_free(&operation.handle);
  for (Type type : types) MPI_Type_free(&type.handle);
  return check::finish();
}
