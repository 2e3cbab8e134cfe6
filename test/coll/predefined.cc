// Each operation of the standard on each type that the standard allows for it, against
// what one process computes; what it does not allow is an error. Collective, form, count,
// root, place, in place or not are drawn at random; now and then a rank comes late.
#include "test/coll/predefined.h"

#include <unistd.h>

#include "test/coll/forms.h"
#include "test/coll/places.h"
#include "test/seed.h"

namespace {

using namespace coll;

struct Round {
  Place at;
  Form form;
  bool large;  // the form with large counts
  const StandardType& type;
  const StandardOp& op;
  int count;
  int offset;  // elements before the data: where they lie in cache lines and vectors
  Root root;
  bool in_place;
  std::uint64_t seed;

  Number value(int name, int index) const {
    check::Random random(check::pattern_word(seed + std::uint64_t(name), std::size_t(index)));
    return draw_number(random, type, op.handle, check::size);
  }
  // What the first `ranks` of those that data come from have together.
  Number reduced(int ranks, int index) const {
    Number result = value(at.peer(0), index);
    for (int i = 1; i < ranks; ++i) {
      result = type.held(op.apply(type.group, result, value(at.peer(i), index)));
    }
    return result;
  }
};

// Elements with guards around them.
class Buffer {
 public:
  Buffer(const Round& r, int count)
      : round_(r),
        count_(count),
        memory_(std::size_t(count + r.offset + 2) * r.type.bytes, kGuard) {}

  void* address() { return place(0); }
  // What the rank of this name contributes.
  void fill(int name) {
    for (int i = 0; i < count_; ++i) round_.type.put(round_.value(name, i), place(i));
  }
  // What the first `ranks` have together, from element `first` on.
  void expect(int ranks, int first, int count) {
    for (int i = 0; i < count; ++i) {
      const Number found = round_.type.get(place(i));
      const Number wanted = round_.reduced(ranks, first + i);
      if (found == wanted) continue;
      check::fail(__FILE__, __LINE__,
                  "element " + std::to_string(i) + " is " + text(found) + ", not " + text(wanted));
    }
    check::passed();
  }
  void expect_guards() {
    const auto is_guard = [](std::byte byte) { return byte == kGuard; };
    CHECK(std::all_of(memory_.data(), place(0), is_guard));
    CHECK(std::all_of(place(count_), memory_.data() + memory_.size(), is_guard));
  }

  // What another rank contributes, and what this one does again.
  void change() { fill(round_.at.self() + 1); }
  void restore(const Buffer& from) { std::ranges::copy(from.memory_, memory_.begin()); }

 private:
  static constexpr std::byte kGuard{0x5a};

  std::byte* place(int i) {
    return memory_.data() + std::size_t(i + 1 + round_.offset) * round_.type.bytes;
  }
  static std::string text(const Number& number) {
    return std::to_string(std::int64_t(number.first)) + " with " +
           std::to_string(std::int64_t(number.second));
  }

  const Round& round_;
  int count_;
  std::vector<std::byte> memory_;
};

// What one process gives to a reduction and gets from it.
struct Part {
  int given;   // elements
  int first;   // of these, those that it gets
  int gotten;  // as many
  int ranks;   // that contribute to them
  bool in_place;
};

template <class Call>
void reduction(const Round& r, const Part& part, Call call) {
  Buffer mine(r, part.given);
  mine.fill(r.at.self());
  Buffer result(r, part.in_place ? part.given : part.gotten);
  if (part.in_place) result.fill(r.at.self());
  const int code = call(part.in_place ? MPI_IN_PLACE : mine.address(), result.address(),
                        Contents<Buffer>({&mine, &result}));
  if (!r.op.takes(r.type.group)) {
    CHECK_EQ(check::error_class(code), MPI_ERR_OP);
    return;
  }
  CHECK_EQ(code, MPI_SUCCESS);
  result.expect(part.ranks, part.first, part.gotten);
  mine.expect_guards();
  result.expect_guards();
}

#define FORMS(name, iname, ...) \
  CALL(r.form, r.large, contents, name, iname, __VA_ARGS__, r.op.handle, r.at.comm)

void reduce(const Round& r) {
  const bool here = r.root.is(r.at);
  const Part part = {r.count, 0, here ? r.count : 0, r.at.peers, here && r.in_place};
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    return CALL(r.form, r.large, contents, Reduce, Ireduce, in, out, r.count, r.type.handle,
                r.op.handle, r.root.argument(r.at), r.at.comm);
  });
}

void allreduce(const Round& r) {
  const Part part = {r.count, 0, r.count, r.at.peers, r.in_place};
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    return FORMS(Allreduce, Iallreduce, in, out, r.count, r.type.handle);
  });
}

// As much for each; both groups reduce as much in all.
void reduce_scatter_block(const Round& r) {
  const int count = std::min(r.count, 1 + r.count / check::size) * (r.at.inter ? r.at.peers : 1);
  const Part part = {count * r.at.size, count * r.at.rank, count, r.at.peers, r.in_place};
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    return FORMS(Reduce_scatter_block, Ireduce_scatter_block, in, out, count, r.type.handle);
  });
}

void reduce_scatter(const Round& r) {
  const auto before = [&](int rank) { return int(std::int64_t(r.count) * rank / r.at.size); };
  Numbers counts;
  for (int i = 0; i < r.at.size; ++i) counts.push_back(before(i + 1) - before(i));
  const int first = before(r.at.rank), end = before(r.at.rank + 1);
  const Part part = {r.count, first, end - first, r.at.peers, r.in_place};
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    return FORMS(Reduce_scatter, Ireduce_scatter, in, out, counts, r.type.handle);
  });
}

void scan(const Round& r) {
  const Part part = {r.count, 0, r.count, r.at.rank + 1, r.in_place};
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    return FORMS(Scan, Iscan, in, out, r.count, r.type.handle);
  });
}

// Nothing is said of the result at rank 0, which has room for one.
void exscan(const Round& r) {
  const Part part = {r.count, 0, r.at.rank == 0 ? 0 : r.count, r.at.rank, r.in_place};
  std::vector<std::byte> room(r.at.rank == 0 ? std::size_t(r.count + 1) * r.type.bytes : 0);
  reduction(r, part, [&](const void* in, void* out, auto contents) {
    void* result = r.at.rank == 0 && !r.in_place ? room.data() : out;
    return FORMS(Exscan, Iexscan, in, result, r.count, r.type.handle);
  });
}

// The second value in place of the first.
void reduce_local(const Round& r) {
  Buffer in(r, r.count), inout(r, r.count);
  in.fill(r.at.peer(0));
  inout.fill(r.at.peer(r.at.peers > 1 ? 1 : 0));
  const int code =
      r.large
          ? MPI_Reduce_local_c(in.address(), inout.address(), r.count, r.type.handle, r.op.handle)
          : MPI_Reduce_local(in.address(), inout.address(), r.count, r.type.handle, r.op.handle);
  if (!r.op.takes(r.type.group)) return CHECK_EQ(check::error_class(code), MPI_ERR_OP);
  CHECK_EQ(code, MPI_SUCCESS);
  if (r.at.peers > 1) inout.expect(2, 0, r.count);
  inout.expect_guards();
}

struct Named {
  const char* name;
  void (*run)(const Round&);
};
constexpr Named kReductions[] = {
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"reduce_scatter_block", reduce_scatter_block},
    {"reduce_scatter", reduce_scatter},
    {"reduce_local", reduce_local},
    // Only within a group:
    {"scan", scan},
    {"exscan", exscan},
};
constexpr std::size_t kWithinGroups = 2;
constexpr int kPasses = 2;

// Mostly short; the longest do not fit into the slots of the collective buffer.
int draw_count(check::Random& random) {
  const int counts[] = {0, 1, 2, 7, 100, 1001};
  if (!random.one_in(16)) return counts[random.below(std::size(counts))];
  return check::size <= 4 ? 30001 : check::size <= 9 ? 10001 : 3001;
}

void draw_and_run(check::Random& random, const Place& at, const StandardType& type,
                  const StandardOp& op, unsigned seed) {
  const std::size_t choices = std::size(kReductions) - (at.inter ? kWithinGroups : 0);
  const Named& reduction = kReductions[random.below(choices)];
  const bool in_place = random.one_in(3) && !at.inter && check::on_atoll();  // MPICH 4.0 crashes
  const Round r = {.at = at,
                   .form = draw_form(unsigned(random.next()), at.inter),
                   .large = random.one_in(2),
                   .type = type,
                   .op = op,
                   .count = draw_count(random),
                   .offset = int(random.below(4)),
                   .root = Root::draw(unsigned(random.next()), at),
                   .in_place = in_place,
                   .seed = random.next()};
  check::set_case("SEED=%u: %s of %s, %s%s%s, %s, count %d, root %d%s", seed, op.name, type.name,
                  reduction.name, r.large ? "_c" : "", at.inter ? " between groups" : "",
                  kForms[int(r.form)], r.count, r.root.name(), r.in_place ? ", in place" : "");
  const auto late = useconds_t(random.one_in(10) ? random.below(1000) : 0);
  if (int(random.below(check::size)) == check::rank) ::usleep(late);
  reduction.run(r);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  const unsigned seed = check::shared_seed();
  check::Random random(seed);  // the same numbers everywhere
  std::vector<Place> places = make_places();
  const StandardTypes types;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const StandardOp& op : standard_operations()) {
      for (const StandardType& type : types.all()) {
        // Between groups there are ranks whose arguments do not count: they see no error.
        const bool allowed = op.takes(type.group);
        if (!allowed && !check::on_atoll()) continue;
        const std::size_t place = random.below(places.size());
        draw_and_run(random, places[allowed ? place : 0], type, op, seed);
      }
    }
  }
  free_places(places);
  return check::finish();
}
